#include "webhooks/webhook_json.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace webhook_json_test {

using namespace gapless;

constexpr database_time the_moment{std::chrono::microseconds{1'795'212'311'123'456}};

notice_record notice(std::string kind, std::optional<std::string> series, std::string data)
{
    return {
        .id = "0b0ab94c-8f0c-4c61-a0e5-8a0d1b0a6c11",
        .seq = 17,
        .kind = std::move(kind),
        .series = std::move(series),
        .at = the_moment,
        .epoch = 1,
        .data = std::move(data)};
}

TEST_SUITE("webhooks/webhook_json")
{
    TEST_CASE("a delivery is type, timestamp and the notice, and nothing else")
    {
        auto const body =
            delivery_body(notice("series.paused", "s", R"({"actor":"cli:anna"})"), false);
        auto const json = nlohmann::ordered_json::parse(body);
        std::vector<std::string> names;
        for (auto const& [name, value] : json.items())
            names.push_back(name);
        CHECK(names == std::vector<std::string>{"type", "timestamp", "data"});
        CHECK(json["type"] == "series.paused");
        CHECK(json["timestamp"] == "2026-11-20T22:05:11.123456Z");
        CHECK(json["data"]["id"] == "0b0ab94c-8f0c-4c61-a0e5-8a0d1b0a6c11");
        CHECK(json["data"]["seq"] == "17");
        CHECK(json["data"]["kind"] == "series.paused");
        CHECK(json["data"]["series"] == "s");
        CHECK(json["data"]["data"].dump() == R"({"actor":"cli:anna"})");
        CHECK(
            delivery_body(notice("series.paused", "s", R"({"actor":"cli:anna"})"), false) == body
        );
    }

    TEST_CASE("a delivery after notices that are gone says so")
    {
        auto const some = notice("series.paused", "s", "{}");
        auto body = delivery_body(some, false);
        CHECK(delivery_body(some, true) == body.insert(body.size() - 1, R"(,"missed":true)"));
    }

    TEST_CASE("a test is a delivery without number and series")
    {
        auto test = notice(std::string{notice_of_test}, std::nullopt, "{}");
        test.seq = 0;
        auto const json = nlohmann::json::parse(delivery_body(test, false));
        CHECK(json["type"] == "webhook.test");
        CHECK(json["data"]["seq"] == nullptr);
        CHECK(json["data"]["series"] == nullptr);
    }
}

}  // namespace webhook_json_test
