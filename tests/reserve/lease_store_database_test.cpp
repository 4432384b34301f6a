#include "harness/leasing.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("reserve/lease_store_database")
{
    TEST_CASE_FIXTURE(leasing, "each claim makes the ones before it copies")
    {
        auto const first = make_lease_id();
        auto const second = make_lease_id();
        auto const one = claim(0, first);
        CHECK(one.claimed);
        CHECK(one.incarnation == 1);
        CHECK(claim(0, first).incarnation == 1);  // its answer was lost
        auto const two = claim(1, second);
        CHECK(two.claimed);
        CHECK(two.incarnation == 2);
        auto const copy = claim(1, make_lease_id());
        CHECK_FALSE(copy.claimed);
        CHECK(copy.incarnation == 2);
    }

    TEST_CASE_FIXTURE(leasing, "an instance reads what it should have, and has")
    {
        auto const wanted = [&] {
            return done([&](auto& transaction) {
                return read_wanted_reserves(transaction, at(incarnation));
            });
        };
        auto const before = wanted();
        REQUIRE(before.size() == 1);
        CHECK(before[0].series_id == series);
        CHECK(before[0].series == "s");
        CHECK(before[0].reserve_numbers == 20);
        CHECK_FALSE(before[0].lease);
        CHECK(before[0].available == 100);
        CHECK_FALSE(before[0].paused);
        CHECK_FALSE(before[0].fenced);
        CHECK_FALSE(before[0].low);
        CHECK_FALSE(before[0].drill);
        take(20);
        auto const after = wanted();
        REQUIRE(after.size() == 1);
        CHECK(after[0].lease == lease);
        CHECK(after[0].status == lease_status::open);
        CHECK(after[0].rest == 20);
        CHECK(after[0].available == 80);
        run("select gapless.series_change('s', '{\"paused\": true, \"low_water\": 500, "
            "\"reserve_numbers\": null}', null, 'me')");
        auto const last = wanted();
        REQUIRE(last.size() == 1);
        CHECK_FALSE(last[0].reserve_numbers);
        CHECK(last[0].paused);
        CHECK(last[0].low);
        CHECK(last[0].available == 0);
    }

    TEST_CASE_FIXTURE(leasing, "a lease is a run of fresh numbers, taken once")
    {
        CHECK(issue("s", {.key = "a", .count = 5}) == "100-104");
        auto const taken = take(20);
        CHECK(taken == take(20));
        CHECK(taken.lease == lease);
        CHECK(taken.series_id == series);
        CHECK(taken.ordinal == 6);
        CHECK(taken.serial == 105);
        CHECK(taken.count == 20);
        CHECK(taken.epoch == 1);
        CHECK(taken.block_id > 0);
        CHECK(issue("s", {.key = "b"}) == "125-125");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(leasing, "a lease is refused to a copy, to a pause and beyond its bounds")
    {
        take(1);
        auto const outcome = [&](std::int32_t of, std::int64_t count) {
            return refused([&](auto& transaction) {
                return take_lease(transaction, series, at(of), make_lease_id(), count, 8h);
            });
        };
        CHECK(outcome(0, 1) == "state-conflict");
        CHECK(outcome(2, 1) == "state-conflict");
        CHECK(outcome(1, 0) == "out-of-range");
        CHECK(outcome(1, 1'000'001) == "out-of-range");
        CHECK(outcome(1, 1) == "done");
        run("select gapless.series_change('s', '{\"paused\": true}', null, 'me')");
        CHECK(outcome(1, 1) == "series-paused");
    }

    TEST_CASE_FIXTURE(leasing, "a lease takes nothing that low water keeps for requests")
    {
        run("select gapless.series_change('s', '{\"low_water\": 190}', null, 'me')");
        CHECK(take(20).count == 10);
        auto const wanted = done([&](auto& transaction) {
            return read_wanted_reserves(transaction, at(incarnation));
        });
        CHECK(wanted[0].available == 0);
        CHECK(wanted[0].low);
        CHECK(run("select kind from gapless.notice_states()") == "");
    }

    TEST_CASE_FIXTURE(leasing, "a series is exhausted when no lease brings anything back in time")
    {
        series = create_series("r", {{1000, 1019}}, "of r");
        take(20);
        auto const exhausted = [this] {
            return run("select kind from gapless.notice_states() where kind = 'series.exhausted'");
        };
        CHECK(exhausted() == "");
        CHECK(issue("r", {"a"}) == "refused: overloaded");
        CHECK(exhausted() == "");
        for (auto const* const status : {"recalled", "open"})
        {
            run("set local session_replication_role = replica; update gapless.lease set status = "
                "'" +
                std::string{status} + "', draw_until = now()");
            CHECK(exhausted() == "series.exhausted");
            CHECK(issue("r", {"a"}) == "refused: series-exhausted");
        }
    }

    TEST_CASE_FIXTURE(leasing, "contact extends a lease by the database's clock")
    {
        take(20, 1h);
        auto const contact =
            done([&](auto& transaction) { return renew_leases(transaction, at(incarnation), 2h); });
        REQUIRE(contact.leases.size() == 1);
        auto const& renewed = contact.leases[0];
        CHECK(renewed.lease == lease);
        CHECK(renewed.series_id == series);
        CHECK(renewed.status == lease_status::open);
        CHECK(renewed.rest == 20);
        CHECK(renewed.draw_for > 119min);
        CHECK(renewed.draw_for <= 2h);
        auto const away = contact.now - std::chrono::system_clock::now();
        CHECK(away < 5min);
        CHECK(away > -5min);
        CHECK(refused([&](auto& transaction) {
                  return renew_leases(transaction, at(incarnation + 1), 2h).leases.size();
              }) == "state-conflict");
    }

    TEST_CASE_FIXTURE(leasing, "an instance without a lease hears the time all the same")
    {
        incarnation = claim(0, make_lease_id()).incarnation;
        auto const contact =
            done([&](auto& transaction) { return renew_leases(transaction, at(incarnation), 2h); });
        CHECK(contact.leases.empty());
        CHECK(contact.now > database_time{1'700'000'000s});
    }

    TEST_CASE_FIXTURE(leasing, "tokens that may issue are told without their secrets")
    {
        auto const other = created(
            {.name = "reader",
             .scopes = {"read"},
             .series = std::nullopt,
             .expires_at = std::nullopt}
        );
        auto const expires_at =
            std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now() + 24h);
        auto const bound = created(
            {.name = "bound",
             .scopes = {"issue"},
             .series = {{"s"}},
             .expires_at = expires_at,
             .rate = 5,
             .burst = 6,
             .daily_quota = 7}
        );
        incarnation = claim(0, make_lease_id()).incarnation;
        auto const all = done([&](auto& transaction) {
            return read_lease_tokens(transaction, at(incarnation), {});
        });
        REQUIRE(all.tokens.size() == 2);
        CHECK(all.in_all == 2);
        auto const& token = all.tokens[0];
        CHECK(token.token_id == bound.token_id);
        CHECK(token.owner_id == bound.owner_id);
        CHECK(token.name == "bound");
        CHECK(token.series == std::vector<std::string>{"s"});
        CHECK(token.expires_at == expires_at);
        CHECK(token.rate == 5);
        CHECK(token.burst == 6);
        CHECK(token.daily_quota == 7);
        auto const hash = hash_token_secret(read_token(bound.text)->secret);
        CHECK(
            token.secret_check ==
            hash_token_secret({reinterpret_cast<char const*>(hash.data()), hash.size()})
        );
        CHECK_FALSE(all.tokens[1].series);
        CHECK_FALSE(all.tokens[1].expires_at);
        CHECK(all.tokens[1].token_id != other.token_id);
        CHECK(all.now > database_time{1'700'000'000s});
    }

    TEST_CASE_FIXTURE(leasing, "one person's 10,010 tokens leave out that person's alone")
    {
        incarnation = claim(0, make_lease_id()).incarnation;
        auto const first = created({.name = "first", .scopes = {"issue"}}).token_id;
        run("insert into gapless.token (owner_id, person_id, secret_hash, scopes, created_by) "
            "select o, o, sha256('x'), '{issue}', 'token:greedy' from generate_series(1, 10010), "
            "(values (" +
            std::to_string(owner) + ")) as v (o)");
        auto const last = created({.name = "last", .scopes = {"issue"}}).token_id;
        auto const oldest = first + 1;
        auto const read = [&](std::vector<std::int32_t> const& used) {
            return done([&](auto& transaction) {
                return read_lease_tokens(transaction, at(incarnation), used);
            });
        };
        auto const has = [](lease_tokens const& all, std::int32_t id) {
            return std::ranges::count(all.tokens, id, &trusted_token::token_id) == 1;
        };
        auto const unused = read({});
        CHECK(unused.in_all == 10'013);
        CHECK(unused.tokens.size() == 10'000);
        CHECK(has(unused, first));
        CHECK(has(unused, last));
        CHECK_FALSE(has(unused, oldest));
        CHECK(has(read({oldest}), oldest));
    }

    TEST_CASE_FIXTURE(leasing, "what comes back of a block that was recalled is voided")
    {
        take(20);
        issue("s", {.key = "rest", .count = 80});  // the block is used up
        run("select gapless.block_recall(1, 'rejected', 'me')");
        done([&](auto& transaction) { return return_lease(transaction, lease, at(incarnation)); });
        CHECK(run("select free, held, voided from gapless.tally") == "0|0|20");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(leasing, "whoever has another secret is a copy, and gets and gives nothing")
    {
        take(20);
        secret = make_instance_secret();
        CHECK_FALSE(claim(1, make_lease_id()).claimed);
        CHECK(refused([&](auto& transaction) {
                  return return_lease(transaction, lease, at(1));
              }) == "forbidden");
        CHECK(refused([&](auto& transaction) {
                  return settle_lease(transaction, lease, at(1), {left(1, 1, 'a')}).size();
              }) == "forbidden");
        CHECK(standing() == "20: 20 held, 0 settled, 0 returned, 0 written off, open");
    }
}
