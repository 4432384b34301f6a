#include "harness/clerk_fixture.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

namespace webhook_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::string_view plain{R"({"url":"https://receiver.invalid/in"})"};

bool has(std::string const& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

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
    /// The process that holds the lock of who delivers; "": none does.
    std::string turn()
    {
        return run("select coalesce((select l.pid::text from pg_locks l where l.locktype = "
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
    TEST_CASE_FIXTURE(webhook_bench, "a webhook's secret is shown once, its authorization never")
    {
        fields const key{{"Idempotency-Key", "k"}};
        std::string const with{
            R"({"url":"https://receiver.invalid/pathword","authorization":"Bearer s3cr3t"})"};
        auto const made = json_of(post(boss, with, key), 201);
        auto const secret = made["secret"].text();
        CHECK(secret.starts_with("whsec_"));
        CHECK_FALSE(has(made.dump(), "s3cr3t"));
        CHECK(kept("s3cr3t") == "0");
        auto const again = post(boss, with, key);
        CHECK(outcome(again) == "409 state-conflict");
        CHECK(has(again.body, "/v1/webhooks/1"));
        CHECK_FALSE(has(again.body, secret));
        CHECK(run("select count(*) from gapless.webhook") == "1");
        CHECK(kept(secret.substr(6)) == "0");

        fields const other_key{{"Idempotency-Key", "l"}};
        auto const other = json_of(act("rotate", boss, other_key), 200)["secret"].text();
        CHECK(other != secret);
        CHECK(outcome(act("rotate", boss, other_key)) == "409 state-conflict");
        CHECK(kept(other.substr(6)) == "0");
        act("test", boss);
        CHECK(eventually([&] {
            return run("select last_error from gapless.webhook") == "its name has no address";
        }));
        for (std::string const text : {"whsec_", "s3cr3t"})
            for (std::string const target : {"/v1/webhooks", "/v1/webhooks/1", "/v1/audit"})
                CHECK_FALSE(has(get(target, boss).body, text));
        CHECK_FALSE(has(get("/v1/audit", boss).body, "pathword"));  // a path may be a secret
        CHECK(instance(0).stop() == 0);
        CHECK(has(instance(0).log(), "webhook_fails"));
        for (std::string const text : {"whsec_", "s3cr3t", "pathword"})
            CHECK_FALSE(has(instance(0).log(), text));
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

    TEST_CASE_FIXTURE(sender_bench, "who delivers goes on delivering, whoever else starts")
    {
        auto const first = settled_turn();
        REQUIRE_FALSE(first.empty());
        start_instances(2);
        CHECK(stays(first));
    }

    TEST_CASE_FIXTURE(sender_bench, "a turn ends with its connection, and is taken again")
    {
        auto const first = settled_turn();
        REQUIRE_FALSE(first.empty());
        run("select pg_terminate_backend(" + first + ")");
        auto const second = settled_turn();
        CHECK_FALSE(second.empty());
        CHECK(second != first);
    }
}

}  // namespace webhook_test
