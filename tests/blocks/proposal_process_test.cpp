#include "harness/desk_bench.hpp"

#include <doctest/doctest.h>

namespace proposal_test {

using namespace gapless::test;

/// Blocks of carrier s are loaded by two people.
struct two_people : desk_bench
{
    two_people()
    {
        create_series("s", {{1000, 1999}});
        create_series("u", {{1000, 1999}});
        REQUIRE(ask("PATCH", "/v1/carriers/s", R"({"four_eyes":true})").outcome() == "200");
    }

    /// The proposal's address.
    std::string propose(std::string const& first, std::string const& last)
    {
        auto const got = load({{"first", first}, {"last", last}});
        REQUIRE(got.outcome() == "202");
        return got.location;
    }

    desk_answer confirm(credential const& who, std::string const& proposal)
    {
        return ask_as(who, "POST", proposal + "/confirm");
    }

    std::string state(std::string const& proposal)
    {
        return ask("GET", proposal).body.at("state").text();
    }
};

TEST_SUITE("process/proposal")
{
    TEST_CASE_FIXTURE(two_people, "what one person proposes another one loads")
    {
        auto const proposed = load(
            {{"first", "2000"}, {"last", "2999"}, {"reference", "letter 7"}, {"issued_until", 2099}}
        );
        REQUIRE(proposed.outcome() == "202");
        CHECK(proposed.location == "/v1/proposals/1");
        CHECK(proposed.body["id"] == "1");
        CHECK(proposed.body["state"] == "proposed");
        CHECK(proposed.body["series"] == "s");
        CHECK(proposed.body["proposed_by"] == "token:anna");
        CHECK(proposed.body["expires_at"].is_string());
        REQUIRE(proposed.body["blocks"].size() == 1);
        CHECK(proposed.body["blocks"][0]["first"] == "2000");
        CHECK(proposed.body["blocks"][0]["count"] == 1000);
        CHECK(proposed.body["blocks"][0]["reference"] == "letter 7");
        CHECK(queue() == "1000…1999 queued");

        CHECK(confirm(anna, proposed.location).outcome() == "403 forbidden");
        auto const namesake = create_token("anna");
        CHECK(confirm(namesake, proposed.location).outcome() == "403 forbidden");
        auto const second =
            ask("POST", "/v1/tokens", R"({"name":"second","scopes":["load"],"series":["s"]})");
        REQUIRE(second.outcome() == "201");
        credential const own{.client = {}, .token = second.body["token"].text()};
        CHECK(confirm(own, proposed.location).outcome() == "403 forbidden");
        auto const reader = create_token("carl", {.scopes = {"read", "admin"}});
        CHECK(confirm(reader, proposed.location).outcome() == "403 forbidden");
        auto const stranger = create_token("dora", {.series = {{"u"}}});
        CHECK(confirm(stranger, proposed.location).outcome() == "404 not-found");
        CHECK(ask_as(stranger, "GET", "/v1/proposals").body["items"].empty());
        CHECK(state(proposed.location) == "proposed");

        auto const loaded = confirm(ben, proposed.location);
        CHECK(loaded.outcome() == "201");
        CHECK(loaded.location == "/v1/series/s/blocks/" + loaded.body["id"].text());
        CHECK(loaded.body["first"] == "2000");
        CHECK(loaded.body["elsewhere"] == "100");
        CHECK(loaded.body["loaded_by"] == "token:ben");
        CHECK(loaded.warnings().empty());
        CHECK(queue() == "1000…1999 queued 2000…2999 queued");
        CHECK(state(proposed.location) == "confirmed");
        CHECK(confirm(ben, proposed.location).outcome() == "409 state-conflict");
        CHECK(ask("POST", proposed.location + "/reject").outcome() == "409 state-conflict");
        CHECK(proof() == "gapless");
    }

    TEST_CASE_FIXTURE(two_people, "a repeated confirmation has the same answer, under its key")
    {
        auto const proposal = propose("2000", "2999");
        auto const again = [&] {
            return ask_as(ben, "POST", proposal + "/confirm", {}, {{"Idempotency-Key", "k"}});
        };
        auto const first = again();
        CHECK(first.outcome() == "201");
        auto const second = again();
        CHECK(second.outcome() == "201");
        CHECK(second.replayed);
        CHECK(second.text == first.text);
    }

    TEST_CASE_FIXTURE(two_people, "warnings are confirmed before anything is proposed")
    {
        json_value block{{"first", "20000"}, {"last", "29999"}};
        auto const dry = load(block, "?dry_run=true");
        CHECK(dry.outcome() == "200");
        CHECK(dry.warnings() == "other-length other-size");
        CHECK(load(block).outcome() == "409 confirmation-needed");
        CHECK(ask("GET", "/v1/proposals").body["items"].empty());
        block.set("confirm_warnings", {"other-length", "other-size"});
        auto const proposed = load(block);
        CHECK(proposed.outcome() == "202");
        CHECK(proposed.warnings() == "other-length other-size");
        CHECK(confirm(ben, proposed.location).outcome() == "201");
        CHECK(load({{"first", "1500"}, {"last", "2500"}}).outcome() == "409 block-overlap");
    }

    TEST_CASE_FIXTURE(two_people, "a count that does not agree is no proposal")
    {
        json_value const block{{"first", "2000"}, {"last", "2999"}, {"count", "100"}};
        CHECK(load(block).outcome() == "422 out-of-range");
        CHECK(load(block, "?dry_run=true").outcome() == "422 out-of-range");
        CHECK(ask("GET", "/v1/proposals").body["items"].empty());
    }

    TEST_CASE_FIXTURE(two_people, "a rejected proposal says by whom, and loads nothing")
    {
        auto const rejected = propose("2000", "2999");
        auto const answer = ask("POST", rejected + "/reject");  // one's own
        CHECK(answer.outcome() == "200");
        CHECK(answer.body["state"] == "rejected");
        CHECK(answer.body["settled_by"] == "token:anna");
        CHECK(confirm(ben, rejected).outcome() == "409 state-conflict");
        CHECK(confirm(ben, "/v1/proposals/9").outcome() == "404 not-found");
        CHECK(ask("GET", "/v1/proposals/x").outcome() == "404 not-found");
        CHECK(queue() == "1000…1999 queued");
    }

    TEST_CASE_FIXTURE(two_people, "a proposal whose numbers were loaded meanwhile loads nothing")
    {
        auto const one = propose("2000", "2999");
        auto const other = propose("2500", "2999");
        CHECK(confirm(ben, other).outcome() == "201");
        CHECK(confirm(ben, one).outcome() == "409 block-overlap");
        CHECK(state(one) == "proposed");
        CHECK(queue() == "1000…1999 queued 2500…2999 queued");
    }

    TEST_CASE_FIXTURE(two_people, "proposals are listed page by page")
    {
        propose("2000", "2999");
        propose("3000", "3999");
        propose("4000", "4999");
        auto const page = ask("GET", "/v1/proposals?limit=2").body;
        REQUIRE(page["items"].size() == 2);
        CHECK(page["next"] == "2");
        auto const rest = ask("GET", "/v1/proposals?limit=2&after=2").body;
        REQUIRE(rest["items"].size() == 1);
        CHECK(rest["items"][0]["id"] == "3");
        CHECK(rest["next"] == nullptr);
        CHECK(ask("GET", "/v1/proposals?limit=0").outcome() == "422 out-of-range");
        CHECK(ask("GET", "/v1/proposals?limit=1001").outcome() == "422 out-of-range");
    }

    TEST_CASE_FIXTURE(two_people, "carriers have a lead time, and a page is a page")
    {
        auto const carriers = ask("GET", "/v1/carriers").body;
        REQUIRE(carriers["items"].size() == 2);
        CHECK(
            carriers["items"][1] ==
            json_value{{"code", "u"}, {"lead_days", 7}, {"four_eyes", false}}
        );
        CHECK(carriers["next"] == nullptr);
        auto const page = ask("GET", "/v1/carriers?limit=1").body;
        REQUIRE(page["items"].size() == 1);
        CHECK(page["items"][0]["code"] == "s");
        CHECK(page["next"] == "s");
        auto const rest = ask("GET", "/v1/carriers?limit=1&after=s").body;
        REQUIRE(rest["items"].size() == 1);
        CHECK(rest["items"][0]["code"] == "u");
        CHECK(rest["next"] == nullptr);
        CHECK(ask("GET", "/v1/carriers?limit=0").outcome() == "422 out-of-range");

        auto const set = [this](std::string const& body) {
            return ask("PATCH", "/v1/carriers/u", body);
        };
        CHECK(set(R"({"lead_days":0})").body["lead_days"] == 0);
        CHECK(set(R"({"lead_days":365})").body["lead_days"] == 365);
        for (std::string const body :
             {R"({"lead_days":366})", R"({"lead_days":-1})", R"({"lead_days":9007199254740993})"})
        {
            CAPTURE(body);
            CHECK(set(body).outcome() == "422 out-of-range");
        }
        for (std::string const body :
             {R"({"four_eyes":1})",
              R"({"code":"v"})",
              R"({"lead_days":1.5})",
              R"({"lead_days":"7"})"})
        {
            CAPTURE(body);
            CHECK(set(body).outcome() == "400 malformed-request");
        }
        CHECK(ask("PATCH", "/v1/carriers/x", R"({"lead_days":1})").outcome() == "404 not-found");
        auto const off = ask("PATCH", "/v1/carriers/s", R"({"four_eyes":false})");
        CHECK(off.outcome() == "202");
        CHECK(off.body["four_eyes"] == true);
        auto const agreed = ask_as(ben, "PATCH", "/v1/carriers/s", R"({"four_eyes":false})");
        CHECK(agreed.outcome() == "200");
        CHECK(agreed.body == json_value{{"code", "s"}, {"lead_days", 7}, {"four_eyes", false}});
        CHECK(ask("GET", "/v1/carriers/u").body["lead_days"] == 365);
        auto const clerk = create_token("clerk", {.scopes = {"read", "load"}});
        CHECK(
            ask_as(clerk, "PATCH", "/v1/carriers/u", R"({"lead_days":1})").outcome() ==
            "403 forbidden"
        );
    }
}

}  // namespace proposal_test
