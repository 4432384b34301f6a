#include "harness/database.hpp"
#include "store/delivery_store.hpp"
#include "store/query.hpp"
#include "store/transaction.hpp"

#include <doctest/doctest.h>

namespace delivery_store_test {

using namespace gapless;

constexpr delivery_limits plenty{.due_max = 10, .per_webhook_max = 4};

/// A database with two series, a webhook, and a session that sends.
struct deliveries : test::database
{
    deliveries()
    {
        run("select from gapless.webhook_create('https://a.example/x', null, null, 'anna')");
    }

    template <class Work>
    auto at_once(Work work)
    {
        return run_read_committed(connection(), std::move(work));
    }

    void publish() { run("select gapless.notices_publish()"); }

    std::int64_t take()
    {
        return at_once([](auto& transaction) { return take_sender_turn(transaction); }
        )->value_or(0);
    }

    result<std::vector<due_delivery>> due(
        std::int64_t term,
        delivery_limits const& limits = plenty,
        std::vector<webhook_lane> const& busy = {}
    )
    {
        return at_once([&](auto& transaction) {
            return read_due_deliveries(transaction, term, limits, busy);
        });
    }

    /// "noted" or how it was refused.
    std::string report(std::int64_t term, std::vector<delivery_report> const& reports)
    {
        auto const noted = at_once([&](auto& transaction) -> result<bool> {
            auto const outcome = report_deliveries(transaction, term, reports);
            if (outcome.has_error())
                return outcome.error();
            return true;
        });
        return noted.has_error() ? std::string{name_of(noted.error().kind)} : "noted";
    }
};

TEST_SUITE("store/delivery_store")
{
    TEST_CASE_FIXTURE(deliveries, "what is due comes with its notice and the key that signs")
    {
        create_series("s", {{100, 199}});
        publish();
        auto const term = take();
        REQUIRE(term > 0);
        CHECK(take() == term);

        auto const found = due(term);
        REQUIRE(found.has_value());
        REQUIRE(found->size() == 1);
        auto const& first = found->front();
        CHECK(first.lane.webhook_id == 1);
        CHECK(first.lane.series_id == 1);
        CHECK(first.url == "https://a.example/x");
        CHECK(first.attempt == 1);
        REQUIRE(first.keys.size() == 1);
        CHECK(first.keys[0].size() == 32);
        CHECK(first.notice.kind == "block.loaded");
        CHECK(first.notice.seq == 1);
        CHECK(first.notice.series == "s");
        CHECK(first.notice.id.size() == 36);
        CHECK(due(term, plenty, {first.lane})->empty());
        CHECK(due(term, {.due_max = 0, .per_webhook_max = 4})->empty());
    }

    TEST_CASE_FIXTURE(deliveries, "one host has its share of what is under way, whoever's hooks")
    {
        for (std::string const url :
             {"https://SLOW.example./1",
              "http://slow.example:8443/2",
              "https://slow.example?3",
              "https://other.example/slow.example",
              "https://slow.example.org/"})
            run("select from gapless.webhook_create('" + url + "', null, null, 'anna')");
        create_series("s", {{100, 199}});
        publish();
        auto const term = take();
        auto const hooks = [&](std::int32_t per_host_max, std::vector<webhook_lane> const& busy) {
            std::string found;
            for (auto const& each : *due(
                     term, {.due_max = 10, .per_webhook_max = 4, .per_host_max = per_host_max}, busy
                 ))
                found += std::to_string(each.lane.webhook_id) + ' ';
            return found;
        };
        CHECK(hooks(3, {}) == "1 2 3 4 5 6 ");
        CHECK(hooks(2, {}) == "1 2 3 5 6 ");
        CHECK(hooks(2, {{3, 1}}) == "1 2 5 6 ");
        CHECK(hooks(1, {{3, 1}}) == "1 5 6 ");
        CHECK(hooks(0, {}).empty());
    }

    TEST_CASE_FIXTURE(deliveries, "a lane goes on when its delivery was noted, and waits when not")
    {
        create_series("s", {{100, 199}, {300, 399}});
        create_series("t", {{500, 599}}, "other");
        publish();
        auto const term = take();
        auto const first = due(term);
        REQUIRE(first->size() == 2);
        CHECK(first->at(0).notice.seq == 1);
        auto const of_t = first->at(1).notice;
        CHECK(of_t.series == "t");

        CHECK(
            report(
                term,
                {{first->at(0).lane, first->at(0).notice.id, ""},
                 {first->at(1).lane, of_t.id, "it answered 500, \"{x}\""}}
            ) == "noted"
        );
        auto const second = due(term);
        REQUIRE(second->size() <= 1);
        CHECK(
            run("select state, last_error, pending, next_attempt_at is not null "
                "from gapless.webhook_page()") == "failing|it answered 500, \"{x}\"|2|t"
        );
    }

    TEST_CASE_FIXTURE(deliveries, "after a rotation two keys sign, the newest first")
    {
        run("select gapless.webhook_test(1, 'anna')");
        auto const term = take();
        auto const before = due(term)->at(0).keys;
        run("select gapless.webhook_rotate(1, 'anna')");
        auto const after = due(term)->at(0).keys;
        REQUIRE(after.size() == 2);
        CHECK(after[1] == before[0]);
        CHECK(after[0] != before[0]);
        CHECK(after[0].size() == 32);
    }

    TEST_CASE_FIXTURE(deliveries, "a test is a delivery of its own, without a number")
    {
        run("select gapless.webhook_test(1, 'anna')");
        auto const term = take();
        auto const found = due(term);
        REQUIRE(found->size() == 1);
        CHECK(found->front().lane.series_id == -1);
        CHECK(found->front().notice.kind == notice_of_test);
        CHECK(found->front().notice.seq == 0);
        CHECK_FALSE(found->front().notice.series);
        CHECK(report(term, {{found->front().lane, found->front().notice.id, ""}}) == "noted");
        CHECK(due(term)->empty());
    }

    TEST_CASE_FIXTURE(deliveries, "whose term is over is refused, and nothing is noted")
    {
        create_series("s", {{100, 199}});
        publish();
        auto const term = take();
        auto const first = due(term)->at(0);
        run("update gapless.webhook_sender set term = term + 1");
        CHECK(due(term).error().kind == refusal_kind::state_conflict);
        CHECK(report(term, {{first.lane, first.notice.id, ""}}) == "state-conflict");
        CHECK(take() == term + 2);
        CHECK(due(term + 2)->at(0).notice.id == first.notice.id);
        CHECK(report(term + 2, {}) == "noted");
    }

    TEST_CASE_FIXTURE(deliveries, "another session gets the turn when it is given back")
    {
        auto const term = take();
        auto other = std::make_unique<pqxx::connection>(url());
        auto const take_other = [&] {
            return run_read_committed(
                       *other, [](auto& transaction) { return take_sender_turn(transaction); }
            )->value_or(0);
        };
        CHECK(take_other() == 0);
        at_once([&](auto& transaction) {
            leave_sender_turn(transaction, term);
            return true;
        });
        CHECK(take_other() == term + 1);
        CHECK(take() == 0);
        other.reset();
        for (int n = 0; n < 500 && take() == 0; ++n)  // its server process ends a moment later
            run("select pg_sleep(0.01)");
        CHECK(take() == term + 2);
    }
}

}  // namespace delivery_store_test
