#include "abuse/route_expectations.hpp"
#include "harness/clerk_fixture.hpp"
#include "record/operation.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace operation_keys_test {

using namespace gapless;
using namespace gapless::test;
using authorization::expectation;
using authorization::expectations;

/// The series own, and what the operations themselves create in the order of their tables.
struct keys_bench : clerk_bench
{
    keys_bench()
    {
        create_series("own", {{300'000, 300'099}});
        run("select count(*) from gapless.issue('s', 1)");
    }

    http_answer post(
        gapless::operation const& wanted, std::string const& key, std::string const& more = {}
    )
    {
        auto const row = std::ranges::find(
            expectations, "POST " + std::string{wanted.path}, &expectation::route
        );
        auto const first = [](std::string_view name) {
            return std::optional<std::string>{name == "series" ? "s" : "1"};
        };
        return ask(
            "POST",
            fill_in(wanted.path, first),
            boss,
            std::string{row->body} + more,
            {{"Idempotency-Key", key}}
        );
    }

    /// A secret is neither repeated nor kept where answers and acts are.
    void check_forgotten(std::string const& secret, http_answer const& repeated)
    {
        REQUIRE(secret.size() >= 32);
        CHECK(repeated.body.find(secret) == std::string::npos);
        for (std::string const table : {"answered_request", "audit_log"})
        {
            auto const kept = "select count(*) from gapless." + table + " kept where position('" +
                              secret + "' in kept::text) > 0";
            CHECK(run(kept) == "0");
        }
    }
};

/// The secret of a token or a webhook.
std::string secret_of(http_answer const& answer)
{
    auto const told = json_value::parse(answer.body);
    auto const shown = told.text_of("token") + told.text_of("secret");
    return shown.substr(shown.rfind('_') + 1, 40);
}

TEST_SUITE("record/operation_keys_process")
{
    TEST_CASE_FIXTURE(keys_bench, "a repeated key brings the answer back, unless it held a secret")
    {
        int keys = 0;
        for (auto const* of : features())
            for (auto const& each : of->operations)
            {
                // A block or a proposal is ended once, a series is created once, whatever the key.
                auto const once =
                    of->noun == "block" || of->noun == "proposal" || of->noun == "series";
                if (each.method != http_method::post || each.path.empty() || once)
                    continue;
                CAPTURE(each.path);
                auto const key = "key-" + std::to_string(++keys);
                auto const first = post(each, key);
                CHECK(first.status == each.status);
                auto const second = post(each, key, " ");  // blanks make no other request
                if (each.answer->has_secret)
                {
                    CHECK(outcome(second) == "409 state-conflict");
                    CHECK(second.body.find("under a new key") != std::string::npos);
                    check_forgotten(secret_of(first), second);
                }
                else
                {
                    CHECK(second.status == first.status);
                    CHECK(second.body == first.body);
                }
                CHECK(post(each, key + "-again").status == each.status);
            }
    }

    TEST_CASE_FIXTURE(keys_bench, "null clears a value in PATCH, so it makes another request")
    {
        auto const patch = [&](std::string const& body) {
            return outcome(ask("PATCH", "/v1/series/s", boss, body, {{"Idempotency-Key", "p"}}));
        };
        CHECK(patch(R"({"low_water":"5"})") == "200 ");
        CHECK(patch(R"({"low_water":5})") == "200 ");
        CHECK(patch(R"({"low_water":"5","reuse_after":null})") == "422 idempotency-key-reused");
    }

    TEST_CASE_FIXTURE(keys_bench, "a body of very many objects is read in one pass")
    {
        // Comparing each with those before it would take minutes, in which nobody is served.
        std::string body{R"({"kind":"printed","ranges":[{})"};
        while (body.size() < 900'000)
            body += ",{}";
        auto const answer =
            ask("POST", "/v1/series/s/events", boss, body + "]}", {{"Idempotency-Key", "many"}});
        CHECK(outcome(answer) == "400 malformed-request");
    }
}

}  // namespace operation_keys_test
