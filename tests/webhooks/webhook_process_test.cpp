#include "harness/clerk_fixture.hpp"

#include <doctest/doctest.h>
#include <pqxx/pqxx>

namespace webhook_test {

using namespace gapless::test;

bool has(std::string const& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

/// Webhooks to a name that has no address, so that nothing is delivered anywhere.
struct webhook_bench : clerk_bench
{
    http_answer post(std::string const& body, fields more)
    {
        return ask("POST", "/v1/webhooks", boss, body, std::move(more));
    }

    http_answer act(std::string const& what, fields more = {})
    {
        return ask("POST", "/v1/webhooks/1/" + what, boss, "{}", std::move(more));
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

TEST_SUITE("webhooks/webhook_process")
{
    TEST_CASE_FIXTURE(webhook_bench, "a webhook's secret is shown once, its authorization never")
    {
        fields const key{{"Idempotency-Key", "k"}};
        std::string const with{
            R"({"url":"https://receiver.invalid/pathword","authorization":"Bearer s3cr3t"})"};
        auto const made = json_of(post(with, key), 201);
        auto const secret = made["secret"].text();
        CHECK(secret.starts_with("whsec_"));
        CHECK_FALSE(has(made.dump(), "s3cr3t"));
        CHECK(kept("s3cr3t") == "0");
        auto const again = post(with, key);
        CHECK(outcome(again) == "409 state-conflict");
        CHECK(has(again.body, "/v1/webhooks/1"));
        CHECK_FALSE(has(again.body, secret));
        CHECK(run("select count(*) from gapless.webhook") == "1");
        CHECK(kept(secret.substr(6)) == "0");

        fields const other_key{{"Idempotency-Key", "l"}};
        auto const other = json_of(act("rotate", other_key), 200)["secret"].text();
        CHECK(other != secret);
        CHECK(outcome(act("rotate", other_key)) == "409 state-conflict");
        CHECK(kept(other.substr(6)) == "0");
        act("test");
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

    TEST_CASE_FIXTURE(
        webhook_bench,
        "an open transaction holds up its own webhook only" * doctest::test_suite("night")
    )
    {
        run("select gapless.notices_publish()");  // webhooks begin after what there is
        for (std::string const key : {"k", "l"})
            json_of(
                post(R"({"url":"https://receiver.invalid/"})", {{"Idempotency-Key", key}}), 201
            );
        auto const failed = [&](std::string const& id) {
            return run("select attempts from gapless.webhook where webhook_id = " + id);
        };
        pqxx::connection other{url()};
        pqxx::work open{other};
        open.exec("select from gapless.webhook where webhook_id = 1 for update");
        create_series("u", {{300'000, 399'999}});  // a notice for both
        CHECK(eventually([&] { return failed("2") == "1"; }));
        CHECK(failed("1") == "0");
        open.commit();
        CHECK(eventually([&] { return failed("1") == "1"; }));
        CHECK_FALSE(has(instance(0).log(), "webhooks_not_sent_here"));
    }
}

}  // namespace webhook_test
