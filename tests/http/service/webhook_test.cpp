#include "clerk_fixture.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

namespace webhook_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::string_view plain{R"({"url":"https://receiver.invalid/in"})"};

/// Webhooks to a name that has no address, so that nothing is delivered anywhere.
struct webhook_bench : clerk_bench
{
    http_answer post(
        std::string const& token, std::string const& body = std::string{plain}, fields more = {}
    )
    {
        return ask("POST", "/v1/webhooks", token, body, std::move(more));
    }

    http_answer act(std::string const& what, std::string const& token, fields more = {})
    {
        return ask("POST", "/v1/webhooks/1/" + what, token, "{}", std::move(more));
    }

    /// How often a text stands in what was kept of answers and acts.
    std::string kept(std::string const& secret)
    {
        auto const in = [&](std::string const& table) {
            return "(select count(*) from gapless." + table + " a where position('" + secret +
                   "' in a::text) > 0)";
        };
        return run("select " + in("answered_request") + " + " + in("audit_log"));
    }
};

/// Who delivers, as the database sees it.
struct sender_bench : clerk_bench
{
    /// "term process" of the lock of the turn; "": nobody holds it.
    std::string turn()
    {
        return run("select coalesce((select concat_ws(' ', l.objid, l.pid) from pg_locks l join "
                   "gapless.webhook_sender s on s.term = l.objid::bigint where l.locktype = "
                   "'advisory' and l.classid = 28279 and l.database = (select d.oid from "
                   "pg_database d where d.datname = current_database())), '')");
    }

    /// Whether that is so for 4 seconds: 4 looks of the sender.
    bool stays(std::string const& expected)
    {
        auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{4};
        while (turn() == expected && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds{50});
        return turn() == expected;
    }

    /// The turn that stays; "": none does. The first one ends when an instance, once it has
    /// connected, forgets its connections.
    std::string settled_turn()
    {
        std::string found;
        auto const settled = [&] {
            found = turn();
            return !found.empty() && stays(found);
        };
        return eventually(settled, std::chrono::seconds{20}) ? found : "";
    }
};

TEST_SUITE("process/webhook")
{
    TEST_CASE_FIXTURE(webhook_bench, "a webhook's secret is shown once, and kept under no key")
    {
        fields const key{{"Idempotency-Key", "k"}};
        auto const secret = json_of(post(boss, std::string{plain}, key), 201)["secret"].text();
        CHECK(secret.starts_with("whsec_"));
        auto const again = post(boss, std::string{plain}, key);
        CHECK(outcome(again) == "409 state-conflict");
        CHECK(again.body.find("/v1/webhooks/1") != std::string::npos);
        CHECK(again.body.find(secret) == std::string::npos);
        CHECK(run("select count(*) from gapless.webhook") == "1");
        CHECK(kept(secret.substr(6)) == "0");

        fields const other_key{{"Idempotency-Key", "l"}};
        auto const other = json_of(act("rotate", boss, other_key), 200)["secret"].text();
        CHECK(other != secret);
        CHECK(outcome(act("rotate", boss, other_key)) == "409 state-conflict");
        CHECK(kept(other.substr(6)) == "0");
        for (std::string const target : {"/v1/webhooks", "/v1/webhooks/1", "/v1/audit"})
            CHECK(get(target, boss).body.find("whsec_") == std::string::npos);
        CHECK(instance(0).log().find("whsec_") == std::string::npos);
    }

    TEST_CASE_FIXTURE(webhook_bench, "a token for some series has webhooks for these alone")
    {
        auto const of_s = create_token("of s", {.series = {{"s"}}}).token;
        CHECK(outcome(post(of_s)) == "403 forbidden");
        CHECK(
            outcome(post(of_s, R"({"url":"https://receiver.invalid/","series":["s","t"]})")) ==
            "403 forbidden"
        );
        post(boss);
        post(boss, R"({"url":"https://receiver.invalid/","series":["t"]})");
        auto const own =
            json_of(post(of_s, R"({"url":"https://receiver.invalid/","series":["s"]})"), 201);
        auto const id = own["id"].text();

        auto const seen = json_of(get("/v1/webhooks", of_s), 200)["items"];
        REQUIRE(seen.size() == 1);
        CHECK(seen[0]["id"] == id);
        CHECK(outcome(get("/v1/webhooks/1", of_s)) == "404 not-found");
        for (std::string const what : {"rotate", "retry", "test"})
            CHECK(outcome(act(what, of_s)) == "404 not-found");
        CHECK(outcome(ask("DELETE", "/v1/webhooks/1", of_s)) == "404 not-found");
        CHECK(ask("DELETE", "/v1/webhooks/" + id, of_s).status == 204);
        CHECK(json_of(get("/v1/webhooks", boss), 200)["items"].size() == 2);
    }

    TEST_CASE_FIXTURE(webhook_bench, "a retry and a test are kept under their keys")
    {
        post(boss);
        for (std::string const what : {"retry", "test"})
        {
            fields const key{{"Idempotency-Key", what}};
            auto const first = act(what, boss, key);
            CHECK(first.status == 202);
            auto const second = act(what, boss, key);
            CHECK(second.status == 202);
            CHECK(second.body == first.body);
            CHECK(
                run("select count(*) from gapless.audit_log where action = 'webhook." + what + "'"
                ) == "1"
            );
            // One of the same name that does not see the webhook sees no answer of it either.
            auto const namesake = create_token("boss", {.series = {{"s"}}}).token;
            CHECK(outcome(act(what, namesake, key)) == "404 not-found");
        }
    }

    TEST_CASE_FIXTURE(sender_bench, "who delivers holds the lock of its turn, whoever else starts")
    {
        auto const first = settled_turn();
        REQUIRE_FALSE(first.empty());
        auto const term = run("select term from gapless.webhook_sender");
        start_instances(2);
        CHECK(stays(first));
        CHECK(run("select term from gapless.webhook_sender") == term);
    }

    TEST_CASE_FIXTURE(sender_bench, "a turn ends with its connection, and is taken again")
    {
        auto const first = settled_turn();
        REQUIRE_FALSE(first.empty());
        run("select pg_terminate_backend(" + first.substr(first.find(' ') + 1) + ")");
        auto const second = settled_turn();
        CHECK_FALSE(second.empty());
        CHECK(second != first);
        auto const next = run("select " + first.substr(0, first.find(' ')) + " + 1");
        CHECK(second.starts_with(next + ' '));
    }
}

}  // namespace webhook_test
