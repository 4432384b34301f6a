#include "harness/http_client.hpp"
#include "harness/json_value.hpp"
#include "harness/service_bench.hpp"

#include <doctest/doctest.h>

#include <array>

namespace labels_test {

using namespace gapless::test;

/// One instance and the series s with two short blocks; on_release: reissue.
struct label_bench : database_bench
{
    label_bench()
    {
        create_series("s", {{100, 104}, {900, 999}});
        start_instances(1);
        token_ = create_token("station").token;
        client_ = std::make_unique<http_client>(instance(0).address());
    }

    http_answer ask(std::string method, std::string target, std::string body = {})
    {
        http_request wanted{std::move(method), std::move(target), {}, std::move(body)};
        wanted.fields.emplace_back("Authorization", "Bearer " + token_);
        if (!wanted.body.empty())
        {
            wanted.fields.emplace_back("Content-Type", "application/json");
            wanted.fields.emplace_back("Idempotency-Key", "k" + std::to_string(++keys_));
        }
        auto const answered = client_->exchange(wanted).answer;
        return answered ? *answered : http_answer{};
    }

    /// Issues and returns the id.
    std::string issue(std::string body)
    {
        auto const issued = ask("POST", "/v1/series/s/numbers", std::move(body));
        return json_value::parse(issued.body).text_of("id");
    }

    /// The numbers with a label, or the status.
    std::string labels(std::string const& id)
    {
        auto const got = ask("GET", "/v1/issuances/" + id + "/labels.zpl?text=false");
        if (got.status != 200)
            return std::to_string(got.status);
        std::string numbers;
        for (std::size_t at = 0; (at = got.body.find("^FD", at)) != std::string::npos; ++at)
            numbers +=
                (numbers.empty() ? "" : " ") + got.body.substr(got.body.find("^FS", at) - 3, 3);
        return numbers;
    }

private:
    std::string token_;
    std::unique_ptr<http_client> client_;
    int keys_{};
};

TEST_SUITE("process/labels")
{
    TEST_CASE_FIXTURE(label_bench, "labels follow what became of the numbers")
    {
        auto const plain = issue(R"({"count":7})");
        CHECK(labels(plain) == "100 101 102 103 104 900 901");
        ask("POST",
            "/v1/series/s/events",
            R"({"kind":"voided","reason":"torn",)"
            R"("ranges":[{"first":"101","last":"101"},{"first":"900","last":"900"}]})");
        ask("POST",
            "/v1/series/s/events",
            R"({"kind":"printed","ranges":[{"first":"102","last":"102"}]})");
        CHECK(labels(plain) == "100 102 103 104 901");
        ask("POST",
            "/v1/series/s/events",
            R"({"kind":"voided","reason":"torn",)"
            R"("ranges":[{"first":"100","last":"104"},{"first":"901","last":"901"}]})");
        CHECK(labels(plain) == "409");
    }

    TEST_CASE_FIXTURE(label_bench, "what a hold gave back is on the labels of who has it now")
    {
        auto const hold = issue(R"({"count":4,"hold_seconds":600})");
        auto const path = "/v1/issuances/" + hold;
        CHECK(labels(hold) == "409");
        ask("POST",
            path + "/confirm",
            R"({"ranges":[{"first":"100","last":"100"},{"first":"103","last":"103"}]})");
        CHECK(labels(hold) == "409");
        ask("POST", path + "/release", R"({"ranges":[{"first":"101","last":"102"}]})");
        CHECK(labels(hold) == "100 103");
        auto const next = issue(R"({"count":3})");
        CHECK(labels(next) == "101 102 104");
        CHECK(labels(hold) == "100 103");
        ask("POST",
            "/v1/series/s/events",
            R"({"kind":"voided","ranges":[{"first":"102","last":"103"}],"reason":"torn"})");
        CHECK(labels(next) == "101 104");
        CHECK(labels(hold) == "100");
    }
}

}  // namespace labels_test
