#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

namespace gapless::test::cli_webhook_test {

/// "code" of creating one with these words behind.
int create(cli const& gapless, std::vector<std::string> const& more)
{
    std::vector<std::string> words{"webhook", "create"};
    words.insert(words.end(), more.begin(), more.end());
    return gapless.code(words);
}

constexpr auto url = "https://receiver.invalid/in";

TEST_SUITE("webhooks/webhook_cli")
{
    TEST_CASE("a webhook is shown with its secret, its kinds and its series")
    {
        cli gapless;
        gapless.stock();
        auto const webhook = gapless.json(
            {"webhook",
             "create",
             "HTTPS://Receiver.invalid/in",
             "--kind",
             "series.low,block.opened",
             "--kind",
             "fence.raised",
             "--series",
             "dhl"}
        );
        auto const secret = webhook["secret"].text();
        CHECK(secret.starts_with("whsec_"));
        CHECK(webhook["id"] == "1");
        CHECK(webhook["url"] == url);
        CHECK(webhook["kinds"].dump() == R"(["series.low","block.opened","fence.raised"])");
        CHECK(webhook["series"].dump() == R"(["dhl"])");
    }

    TEST_CASE("private addresses and http need the networks that the service has")
    {
        cli const gapless;
        CHECK(create(gapless, {"https://localhost/"}) == 2);
        auto const refused = gapless.run({"webhook", "create", "http://10.1.2.3/"});
        CHECK(refused.code == 2);
        CHECK(contains(refused.err, "webhook_networks"));
        CHECK(create(gapless, {"http://10.1.2.3/", "--webhook-networks", "10.0.0.0/8"}) == 0);
        CHECK(create(gapless, {url, "--webhook-networks", "10.0.0.1/8"}) == 2);

        process_start start;
        start.words = {GAPLESS_BIN_DIR "/gapless", "webhook", "create", "http://10.1.2.3/"};
        start.environment["GAPLESS_DATABASE_URL"] = "postgresql://nobody@127.0.0.1:1/none";
        start.environment["GAPLESS_WEBHOOK_NETWORKS"] = "10.0.0.0/8";
        CHECK(run_program(start).code == 7);
    }

    TEST_CASE("an authorization comes from a file or from stdin, and is shown nowhere")
    {
        cli gapless;
        temporary_file const file{"Bearer s3cr3t\n"};
        temporary_file const empty{"\n"};
        CHECK(create(gapless, {url, "--authorization", file.path()}) == 0);
        auto const made = gapless.run(
            {"webhook", "create", url, "--authorization", "-", "-o", "json"}, "Basic s3cr3t\r\n"
        );
        CHECK(made.code == 0);
        CHECK_FALSE(contains(made.out + made.err, "s3cr3t"));
        CHECK(
            gapless.database().run(
                "select string_agg(credentials, '|' order by webhook_id) from gapless.webhook"
            ) == "Bearer s3cr3t|Basic s3cr3t"
        );
        CHECK(create(gapless, {url, "--authorization", empty.path()}) == 2);
        auto const odd =
            gapless.run({"webhook", "create", url, "--authorization", "-"}, "s3\ncr3t");
        CHECK(odd.code == 2);
        CHECK(contains(odd.err, "--authorization"));
        CHECK_FALSE(contains(odd.err, "cr3t"));
    }

    TEST_CASE(
        "who names an environment hears of the webhooks that deliver nothing there" *
        doctest::test_suite("night")
    )
    {
        cli const gapless;
        CHECK(create(gapless, {url}) == 0);
        auto const adopt = [](std::string const& id) {
            return "webhook " + id + " was made in another environment and delivers nothing now; " +
                   "to adopt it: gapless webhook retry " + id + "\n";
        };
        CHECK(contains(gapless.run({"database", "environment", "production"}).err, adopt("1")));
        CHECK(create(gapless, {url}) == 0);
        auto const moved = gapless.run({"database", "environment", "test"}).err;
        CHECK(contains(moved, adopt("1")));
        CHECK(contains(moved, adopt("2")));
        CHECK(gapless.code({"webhook", "retry", "1"}) == 0);
        auto const again = gapless.run({"database", "environment", "production"}).err;
        CHECK(contains(again, adopt("1")));
        CHECK_FALSE(contains(again, "webhook 2"));
    }
}

}  // namespace gapless::test::cli_webhook_test
