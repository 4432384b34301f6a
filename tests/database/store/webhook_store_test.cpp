#include "harness/database.hpp"
#include "store/transaction.hpp"
#include "store/webhook_store.hpp"

#include <doctest/doctest.h>

namespace webhook_store_test {

using namespace gapless;

struct webhooks : test::database
{
    template <class Work>
    auto change(Work work)
    {
        return run_serializable(connection(), {}, std::move(work));
    }

    result<webhook_secret> create(webhook_draft const& draft)
    {
        return change([&](auto& transaction) { return create_webhook(transaction, draft, "anna"); }
        );
    }

    std::vector<webhook_record> all(webhook_page const& page = {})
    {
        auto found = run_read(connection(), [&](auto& transaction) {
            return read_webhooks(transaction, page);
        });
        return std::move(*found);
    }
};

std::string name_of_outcome(result<webhook_secret> const& outcome)
{
    return outcome.has_error() ? std::string{name_of(outcome.error().kind)} : "created";
}

TEST_SUITE("store/webhook_store")
{
    TEST_CASE_FIXTURE(webhooks, "a webhook is read as it was created")
    {
        create_series("s", {{100, 199}});
        auto const plain = create({.url = "https://a.example/", .kinds = {}, .series = {}});
        auto const picky = create(
            {.url = "https://b.example/",
             .kinds = {{"series.low", "block.opened"}},
             .series = {{"s"}}}
        );
        REQUIRE(plain.has_value());
        REQUIRE(picky.has_value());
        CHECK(plain->text.starts_with("whsec_"));
        CHECK(plain->text.size() == 6 + 44);
        CHECK(plain->text != picky->text);

        auto const both = all();
        REQUIRE(both.size() == 2);
        CHECK(both[0].webhook_id == plain->webhook_id);
        CHECK(both[0].url == "https://a.example/");
        CHECK_FALSE(both[0].kinds);
        CHECK_FALSE(both[0].series);
        CHECK(both[0].state == "active");
        CHECK(both[0].pending == 0);
        CHECK_FALSE(both[0].last_error);
        CHECK_FALSE(both[0].next_attempt_at);
        CHECK_FALSE(both[0].last_delivered_at);
        CHECK_FALSE(both[0].old_secret_until);
        CHECK(both[0].created_by == "anna");
        CHECK(both[1].kinds == std::vector<std::string>{"series.low", "block.opened"});
        CHECK(both[1].series == std::vector<std::string>{"s"});

        CHECK(all({.id = picky->webhook_id}).size() == 1);
        CHECK(all({.after = plain->webhook_id}).size() == 1);
        CHECK(all({.limit = 1}).front().webhook_id == plain->webhook_id);
    }

    TEST_CASE_FIXTURE(webhooks, "what a webhook cannot be is refused by the database, too")
    {
        auto const outcome = [&](webhook_draft const& draft) {
            return name_of_outcome(create(draft));
        };
        std::string const url{"https://a.example/"};
        CHECK(outcome({.url = url, .kinds = {{"no.such"}}, .series = {}}) == "out-of-range");
        CHECK(outcome({.url = url, .kinds = {{"webhook.test"}}, .series = {}}) == "out-of-range");
        CHECK(
            outcome({.url = url, .kinds = std::vector<std::string>{}, .series = {}}) ==
            "out-of-range"
        );
        CHECK(outcome({.url = url, .kinds = {}, .series = {{"missing"}}}) == "unknown-series");
        CHECK(outcome({.url = "ftp://a.example/", .kinds = {}, .series = {}}) == "out-of-range");
        CHECK(all().empty());
    }

    TEST_CASE_FIXTURE(webhooks, "a rotated webhook has another secret, and says how long both sign")
    {
        auto const created = create({.url = "https://a.example/", .kinds = {}, .series = {}});
        auto const id = created->webhook_id;
        auto const rotated =
            change([&](auto& transaction) { return rotate_webhook(transaction, id, "anna"); });
        REQUIRE(rotated.has_value());
        CHECK(rotated->webhook_id == id);
        CHECK(rotated->text != created->text);
        CHECK(rotated->text.size() == created->text.size());
        CHECK(all().front().old_secret_until);
    }

    TEST_CASE_FIXTURE(webhooks, "one person's tokens have a share of the webhooks, roles have none")
    {
        std::string const shown{
            "select set_config('gapless.token_hash', encode(sha256('x'), 'hex'), true), "
            "set_config('gapless.token_id', '"};
        std::string const token{"select gapless.token_create('shop', sha256('x'), '{admin}', null, "
                                "null, 'anna')"};
        std::string const more{
            "select count(*) from generate_series(1, 50) n, "
            "gapless.webhook_create('https://a.example/' || n, null, null, 'x')"};
        auto const as = [&](std::string const& id, std::string const& sql) {
            return run(shown + id + "', true); " + sql);
        };
        CHECK(run(token) == "1");
        CHECK(as("1", token) == "2");
        CHECK(as("1", more) == "50");
        CHECK(as("2", more) == "50");
        for (std::string const id : {"1", "2"})
            CHECK(as(id, more) == "refused: out-of-range");
        CHECK(
            run("select gapless.token_create('stall', sha256('x'), '{admin}', null, null, 'b')") ==
            "3"
        );
        CHECK(as("3", more) == "50");
        CHECK(run(more) == "50");
        CHECK(run(more) == "50");
        CHECK(run(more) == "50");
        run("select gapless.webhook_delete(1, 'anna')");
        CHECK(
            as("1", "select from gapless.webhook_create('https://a.example/', null, null, 'x')") ==
            ""
        );
    }

    TEST_CASE_FIXTURE(webhooks, "what is done to a webhook that is not there is refused")
    {
        auto const id =
            create({.url = "https://a.example/", .kinds = {}, .series = {}})->webhook_id;
        auto const act = [&](auto const& what, std::int32_t of) {
            auto const done = change([&](auto& transaction) {
                what(transaction, of, "anna");
                return true;
            });
            return done.has_error() ? std::string{name_of(done.error().kind)} : "done";
        };
        CHECK(act(retry_webhook, id) == "done");
        CHECK(act(test_webhook, id) == "done");
        CHECK(act(delete_webhook, id) == "done");
        CHECK(all().empty());
        for (auto* const what : {retry_webhook, test_webhook, delete_webhook})
            CHECK(act(what, id) == "not-found");
        auto const rotated =
            change([&](auto& transaction) { return rotate_webhook(transaction, id, "anna"); });
        CHECK(name_of_outcome(rotated) == "not-found");
    }
}

}  // namespace webhook_store_test
