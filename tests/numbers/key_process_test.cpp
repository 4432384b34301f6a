#include "harness/json_value.hpp"
#include "harness/service_bench.hpp"

#include <doctest/doctest.h>

namespace key_test {

using namespace gapless::test;

constexpr auto printed = R"({"kind":"printed","ranges":[{"first":"100","last":"100"}]})";
constexpr auto block = R"({"first":"700","last":"799"})";

/// An instance, a token, and series whose blocks have the same serials.
struct key_bench : database_bench
{
    key_bench()
    {
        create_series("s", {{100, 199}});
        create_series("t", {{100, 199}});
        token_ = create_token("shop").token;
        ask_instance(0);
    }

    /// "<status>", " again" for a replay, or "<status> <problem>".
    std::string post(std::string const& target, std::string const& key, std::string const& body)
    {
        http_request const wanted{
            .method = "POST",
            .target = target,
            .fields =
                {{"Authorization", "Bearer " + token_},
                 {"Idempotency-Key", key},
                 {"Content-Type", "application/json"}},
            .body = body};
        auto const got = client_->exchange(wanted).answer;
        if (!got)
            return "no answer";
        last_ = json_value::parse_or_null(got->body);
        auto const status = std::to_string(got->status);
        if (got->status >= 400)
            return status + ' ' + last_.text_of("type").substr(sizeof "/problems/" - 1);
        return got->field("idempotency-replayed") == "true" ? status + " again" : status;
    }

    /// Sends the next requests to that instance, which it starts if need be.
    void ask_instance(std::size_t n)
    {
        start_instances(n + 1);
        client_ = std::make_unique<http_client>(instance(n).address());
    }

    std::string id_of_last() const { return last_.text_of("id"); }

    /// What the last answer lists: "100 | 101 to 101 released".
    std::string told() const
    {
        auto const list = [this](char const* name) {
            return last_.contains(name) ? last_[name].elements() : std::vector<json_value>{};
        };
        std::string text;
        for (auto const& number : list("numbers"))
            text += number.text() + ' ';
        text += '|';
        for (auto const& run : list("gone"))
            text +=
                ' ' + run["first"].text() + " to " + run["last"].text() + ' ' + run["state"].text();
        return text;
    }

    /// How much of everything there is.
    std::string records()
    {
        return run("select (select sum(count) from gapless.ledger), (select count(*) from "
                   "gapless.block), (select count(*) from gapless.number_event), (select count(*) "
                   "from gapless.answered_request), (select held from gapless.tally where "
                   "series_id = 1)");
    }

private:
    std::string token_;
    std::unique_ptr<http_client> client_;
    json_value last_;
};

constexpr auto reused = "422 idempotency-key-reused";

TEST_SUITE("numbers/key_process")
{
    TEST_CASE_FIXTURE(
        key_bench,
        "a key with the same body is spent on one path only" * doctest::test_suite("night")
    )
    {
        CHECK(post("/v1/series/s/numbers", "issue", R"({"count":2,"hold_seconds":600})") == "201");
        auto const held = "/v1/issuances/" + id_of_last();
        CHECK(post("/v1/series/s/numbers", "more", R"({"hold_seconds":600})") == "201");
        auto const also_held = "/v1/issuances/" + id_of_last();
        CHECK(post("/v1/series/t/numbers", "other", "{}") == "201");

        CHECK(post("/v1/series/s/blocks", "load", block) == "201");
        CHECK(post("/v1/series/s/events", "event", printed) == "409 state-conflict");  // still held
        CHECK(post(held + "/confirm", "settle", "{}") == "200");
        CHECK(post("/v1/series/s/events", "event", printed) == "201");
        auto const before = records();

        CHECK(post("/v1/series/t/numbers", "issue", R"({"count":2,"hold_seconds":600})") == reused);
        CHECK(post("/v1/series/t/blocks", "load", block) == reused);
        CHECK(post("/v1/series/t/events", "event", printed) == reused);
        CHECK(post(held + "/release", "settle", "{}") == reused);
        CHECK(post(also_held + "/confirm", "settle", "{}") == reused);
        CHECK(post("/v1/series/s/blocks", "issue", block) == reused);
        CHECK(post("/v1/series/s/events", "issue", printed) == reused);
        CHECK(records() == before);

        CHECK(post("/v1/series/s/blocks", "load", block) == "201 again");
        CHECK(post("/v1/series/s/events", "event", printed) == "201 again");
        CHECK(post(held + "/confirm", "settle", "{}") == "200 again");
        CHECK(records() == before);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        key_bench,
        "numbers that another instance issued under it are found" * doctest::test_suite("night")
    )
    {
        CHECK(post("/v1/series/s/numbers", "first", "{}") == "201");
        CHECK(post("/v1/series/s/events", "twice", printed) == "201");
        CHECK(post("/v1/series/s/numbers", "twice", "{}") == reused);
        ask_instance(1);  // which does not know of the event
        CHECK(post("/v1/series/s/numbers", "twice", "{}") == "201");
        ask_instance(0);
        CHECK(post("/v1/series/s/numbers", "twice", "{}") == "201 again");
        CHECK(told() == "101 |");
        CHECK(post("/v1/series/s/numbers", "twice", R"({"count":2})") == reused);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(key_bench, "a repeated key never shows a number that another key has by now")
    {
        constexpr auto two = R"({"count":2,"hold_seconds":600})";
        constexpr auto first = R"({"ranges":[{"first":"100","last":"100"}]})";
        CHECK(post("/v1/series/s/numbers", "hk-1", two) == "201");
        auto const held = "/v1/issuances/" + id_of_last();
        // No range is not the whole hold.
        CHECK(post(held + "/release", "none", R"({"ranges":[]})") == "422 out-of-range");
        CHECK(post(held + "/confirm", "settle", first) == "200");
        CHECK(told() == "100 101 |");
        CHECK(
            post(held + "/release", "release", R"({"ranges":[{"first":"101","last":"101"}]})") ==
            "200"
        );
        CHECK(post("/v1/series/s/numbers", "hk-2", R"({"hold_seconds":600})") == "201");
        CHECK(told() == "101 |");

        CHECK(post("/v1/series/s/numbers", "hk-1", two) == "201 again");
        CHECK(told() == "100 | 101 to 101 released");
        CHECK(post(held + "/confirm", "settle", first) == "200 again");
        CHECK(told() == "100 | 101 to 101 released");
        CHECK(post(held + "/confirm", "whole", "{}") == "200");
        CHECK(told() == "100 | 101 to 101 released");
        CHECK(
            post(held + "/confirm", "gone", R"({"ranges":[{"first":"101","last":"101"}]})") ==
            "409 state-conflict"
        );

        constexpr auto torn =
            R"({"kind":"voided","reason":"torn","ranges":[{"first":"100","last":"100"}]})";
        CHECK(post("/v1/series/s/events", "void", torn) == "201");
        for (auto const& again :
             {post("/v1/series/s/numbers", "hk-1", two),
              post(held + "/confirm", "settle", first),
              post(held + "/confirm", "anew", "{}")})
            CHECK(again == "409 issuance-settled");
        CHECK(told() == "| 100 to 100 voided 101 to 101 released");
        CHECK(post("/v1/series/s/numbers", "hk-2", R"({"hold_seconds":600})") == "201 again");
        CHECK(told() == "101 |");
        CHECK(verify() == "gapless");
    }
}

}  // namespace key_test
