#include "harness/clerk_fixture.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <memory>

namespace notices_test {

using namespace gapless::test;

constexpr std::chrono::seconds soon{10};
constexpr std::chrono::seconds later{40};  // what is found is looked for each 15 s

struct notices_bench : clerk_bench
{
    json_value items(std::string const& query = {}, std::string const& token = {})
    {
        auto const got = get("/v1/notices" + query, token.empty() ? boss : token);
        return json_of(got, 200).at("items");
    }

    /// The notices of a kind, once there are so many; fewer when they do not come in time.
    json_value wait_for(
        std::string const& kind, std::size_t count = 1, std::chrono::seconds limit = soon
    )
    {
        json_value found;
        eventually(
            [&] {
                found = items("?kind=" + kind);
                return found.size() >= count;
            },
            limit
        );
        return found;
    }

    /// A request that waits behind notice 2, the last one that creating the series told.
    std::unique_ptr<http_client> wait_at(std::size_t place, std::string const& token)
    {
        auto client = std::make_unique<http_client>(instance(place).address());
        http_request wanted{.target = "/v1/notices?after=2&wait=30"};
        wanted.fields = {{"Authorization", "Bearer " + token}};
        CHECK(client->connect());
        CHECK(client->send(client->to_bytes(wanted)));
        auto const is_waiting = [&] {
            return get("/metrics", boss).body.find("gapless_notice_waiters 0") == std::string::npos;
        };
        if (place == 0)
            CHECK(eventually(is_waiting));
        return client;
    }

    std::string act(std::string const& target, json_value const& body)
    {
        return outcome(ask("POST", target, boss, body.dump()));
    }
};

std::string text(json_value const& notice, char const* language = "en")
{
    return notice.at("text").at(language).text();
}

TEST_SUITE("process/notices")
{
    TEST_CASE_FIXTURE(notices_bench, "what happens to blocks is told, numbered without a gap")
    {
        CHECK(wait_for("block.loaded", 2).size() == 2);
        json_value const block{
            {"first", "500000"}, {"last", "500009"}, {"confirm_warnings", {"other-size"}}};
        CHECK(act("/v1/series/s/blocks", block).starts_with("201"));
        auto const loaded = wait_for("block.loaded", 3);
        REQUIRE(loaded.size() == 3);
        CHECK(loaded[2]["series"] == "s");
        CHECK(loaded[2]["data"]["first"] == "500000");
        CHECK(loaded[2]["data"]["remaining"] == "10");
        auto const id = loaded[2]["data"]["block"].text();
        CHECK(text(loaded[2]) == "s: block " + id + " (500000 to 500009) loaded, 10 remaining");
        CHECK(act("/v1/series/s/blocks/" + id + "/close", {{"reason", "typo"}}).starts_with("200"));
        auto const closed = wait_for("block.closed");
        REQUIRE(closed.size() == 1);
        CHECK(
            text(closed[0], "de") ==
            "s: Block " + id +
                " (500000 bis 500009) geschlossen; 10 Nummern wurden nicht "
                "ausgegeben"
        );
        std::int64_t seq = 0;
        for (auto const& each : items().elements())
            CHECK(each["seq"] == std::to_string(++seq));
    }

    TEST_CASE_FIXTURE(
        notices_bench, "who waits hears what happens, whichever instance publishes it"
    )
    {
        CHECK(wait_for("block.loaded", 2).size() == 2);
        start_instances(2);
        auto const here = wait_at(0, boss);
        auto const there = wait_at(1, boss);
        json_of(ask("PATCH", "/v1/series/s", boss, json_value{{"paused", true}}.dump()), 200);
        for (auto* const client : {here.get(), there.get()})
        {
            auto const told = json_of(client->receive().value_or(http_answer{}), 200);
            REQUIRE(told["items"].size() == 1);
            CHECK(told["items"][0]["kind"] == "series.paused");
            CHECK(told["next"] == "3");
        }
    }

    TEST_CASE_FIXTURE(
        notices_bench, "a token that is revoked waits no longer; a stop ends every wait"
    )
    {
        CHECK(wait_for("block.loaded", 2).size() == 2);
        auto const reader = create_token("r", {.scopes = {"read"}}).token;
        auto const revoked = wait_at(0, reader);
        auto const id = json_of(get("/v1/tokens", boss), 200)["items"].back()["id"].text();
        CHECK(ask("DELETE", "/v1/tokens/" + id, boss).status == 204);
        CHECK(outcome(revoked->receive(soon).value_or(http_answer{})) == "401 unauthenticated");
        auto const stays = wait_at(0, boss);
        instance(0).send(SIGTERM);
        CHECK(json_of(stays->receive(soon).value_or(http_answer{}), 200)["next"] == "2");
    }

    TEST_CASE_FIXTURE(notices_bench, "a rollover is told by the block that opened")
    {
        json_value const next{
            {"first", "500000"}, {"last", "500009"}, {"confirm_warnings", {"other-size"}}};
        CHECK(act("/v1/series/s/blocks", next).starts_with("201"));
        CHECK(items("?kind=block.opened").empty());
        run("select count(*) from gapless.issue('s', 99901)");
        auto const opened = wait_for("block.opened");
        REQUIRE(opened.size() == 1);
        CHECK(opened[0]["series"] == "s");
        CHECK(opened[0]["data"]["first"] == "500000");
        run("select gapless.notices_find()");  // as a sweep does
        CHECK(wait_for("block.exhausted", 1, later).size() == 1);
    }

    TEST_CASE_FIXTURE(notices_bench, "a series that runs low is told once, by whoever sweeps")
    {
        json_value const change{{"low_water", 200'000}};
        CHECK(ask("PATCH", "/v1/series/s", boss, change.dump()).status == 200);
        auto const low = wait_for("series.low", 1, later);
        REQUIRE(low.size() == 1);
        CHECK(low[0]["data"] == json_value{{"remaining", "99900"}, {"low_water", "200000"}});
        CHECK(text(low[0]) == "s: 99,900 remaining, below the low-water mark of 200,000");
        run("select gapless.notices_find()");
        run("select gapless.notices_find()");
        json_value const pause{{"paused", true}};
        CHECK(ask("PATCH", "/v1/series/s", boss, pause.dump()).status == 200);
        auto const paused = wait_for("series.paused");
        REQUIRE(paused.size() == 1);
        CHECK(text(paused[0]) == "s: paused by token:boss");
        CHECK(items("?kind=series.low").size() == 1);
    }

    TEST_CASE_FIXTURE(notices_bench, "findings of a series that somebody asked about are told once")
    {
        run("select count(*) from gapless.issue('s', 3)");
        auto const found = [this] {
            return json_of(get("/v1/verify/s", boss), 200).at("findings").size();
        };
        CHECK(found() == 0);
        run("set session_replication_role = replica; update gapless.ledger set count = 2");
        CHECK(found() > 0);
        CHECK(found() > 0);
        auto const told = wait_for("verify.finding");
        REQUIRE(told.size() == 1);
        CHECK(told[0]["series"].is_null());
        CHECK(told[0]["data"]["findings"] == found());
        json_value const pause{{"paused", true}};
        CHECK(ask("PATCH", "/v1/series/s", boss, pause.dump()).status == 200);
        CHECK(wait_for("series.paused").size() == 1);
        CHECK(items("?kind=verify.finding").size() == 1);
    }

    TEST_CASE_FIXTURE(notices_bench, "a fence is told while nothing else is")
    {
        CHECK(wait_for("block.loaded", 2).size() == 2);
        run("select gapless.fence_raise('the standby was promoted', 'dba')");
        auto const fence = wait_for("fence.raised");
        REQUIRE(fence.size() == 1);
        CHECK(fence[0]["series"].is_null());
        CHECK(text(fence[0]) == "No numbers are issued: the standby was promoted");
    }
}

}  // namespace notices_test
