#include "access/token_text.hpp"
#include "harness/database.hpp"
#include "harness/new_token.hpp"
#include "notices/notice_store.hpp"
#include "postgres/answer_store.hpp"
#include "postgres/transaction.hpp"

#include <doctest/doctest.h>

#include <chrono>

namespace notice_store_test {

using namespace gapless;
using namespace std::chrono;

struct noticed : test::database
{
    noticed() { create_series("s", {{100, 199}}); }

    /// What `work` returns, in a transaction at READ COMMITTED.
    template <class Work>
    auto done(Work work)
    {
        return run_read_committed(connection(), work).value();
    }

    std::int64_t publish()
    {
        return done([](auto& transaction) { return publish_notices(transaction); });
    }

    /// Kinds of a page, by their seq: "1 block.loaded".
    std::string page(notice_page const& wanted = {}, request_actor const& actor = {})
    {
        auto const found = run_read(connection(), [&](pqxx::transaction_base& transaction) {
            name_actor(transaction, actor);
            return read_notices(transaction, wanted);
        });
        if (found.has_error())
            return "refused: " + std::string{name_of(found.error().kind)};
        std::string kinds;
        for (auto const& each : *found)
            kinds += (kinds.empty() ? "" : ", ") + std::to_string(each.seq) + ' ' + each.kind;
        return kinds;
    }

    /// The latest one, of a kind if that is said.
    notice_record last(std::optional<std::string> const& kind = std::nullopt)
    {
        return done([&](auto& transaction) { return read_notices(transaction, {.kind = kind}); }
        ).back();
    }

    /// The actor of a new token.
    request_actor actor_of(test::wanted_token const& wanted)
    {
        auto const made =
            done([&](auto& transaction) { return test::make_token(transaction, wanted); });
        return {
            "token:" + wanted.name,
            made.token_id,
            hash_token_secret(read_token(made.text)->secret),
            ""};
    }
};

TEST_SUITE("notices/notice_store_database")
{
    TEST_CASE_FIXTURE(noticed, "a notice that was published is read as it was written")
    {
        CHECK(page() == "");
        CHECK(publish() == 1);
        CHECK(publish() == 0);
        auto const told = last();
        CHECK(told.id.size() == 36);
        CHECK(told.seq == 1);
        CHECK(told.kind == "block.loaded");
        CHECK(told.series == "s");
        CHECK(told.epoch == 1);
        CHECK_FALSE(told.environment);
        CHECK(told.data.find(R"("first": "100")") != std::string::npos);
        CHECK_FALSE(told.data_day);
        CHECK(run("select gapless.environment_set('test', 'me')") == "");
        run("select gapless.series_change('s', '{\"paused\": true}', null, 'cli:anna')");
        CHECK(publish() == 1);
        CHECK(last().environment == "test");
        CHECK(last().data == R"({"actor": "cli:anna"})");
    }

    TEST_CASE_FIXTURE(noticed, "days are those of the database's time zone")
    {
        run("select gapless.time_zone_set('Etc/GMT-14', 'me')");  // 14 hours ahead
        test::wanted_token wanted;
        wanted.name = "soon";
        wanted.scopes = {"read"};
        wanted.expires_at = ceil<days>(system_clock::now()) + days{2} - hours{1};
        auto const actor = actor_of(wanted);
        CHECK(done([](auto& transaction) { return find_notices(transaction, "{}"); }) >= 1);
        run("select gapless.notice_add('lease.overdue', 1, null, "
            "'{\"contact\": \"2026-12-03T10:00:00.5Z\"}')");
        publish();
        CHECK(last("lease.overdue").data_day == sys_days{2026y / 12 / 4});
        auto const told = last("token.expires");
        CHECK(told.data_day == floor<days>(*wanted.expires_at) + days{1});
        CHECK(told.day == floor<days>(told.at + hours{14}));
    }

    TEST_CASE_FIXTURE(noticed, "a page begins behind a notice, and is of a series and of a kind")
    {
        create_series("t", {{500, 599}}, "other");
        run("select gapless.series_change('t', '{\"paused\": true}', null, 'me')");
        CHECK(publish() == 3);
        CHECK(page() == "1 block.loaded, 2 block.loaded, 3 series.paused");
        CHECK(page({.after = 1}) == "2 block.loaded, 3 series.paused");
        CHECK(page({.limit = 1}) == "1 block.loaded");
        CHECK(page({.series = "t"}) == "2 block.loaded, 3 series.paused");
        CHECK(page({.kind = "series.paused"}) == "3 series.paused");
        CHECK(page({.series = "s", .kind = "series.paused"}) == "");
        CHECK(page({.series = "none"}) == "refused: unknown-series");
        CHECK(page({.kind = "none"}) == "refused: malformed-request");
    }

    TEST_CASE_FIXTURE(noticed, "a token reads what it may")
    {
        create_series("t", {{500, 599}}, "other");
        done([](auto& transaction) {
            note_verified(transaction, 3, /*chain=*/false);
            return true;
        });
        CHECK(publish() == 3);
        auto const admin = actor_of({.name = "a", .scopes = {"read", "admin"}});
        auto const reader = actor_of({.name = "r", .scopes = {"read"}});
        auto const bound = actor_of({.name = "b", .scopes = {"read", "admin"}, .series = {{"t"}}});
        auto const issuer = actor_of({.name = "i", .scopes = {"issue"}});
        CHECK(page({}, admin) == "1 block.loaded, 2 block.loaded, 3 verify.finding");
        CHECK(page({}, reader) == "1 block.loaded, 2 block.loaded");
        CHECK(page({}, bound) == "2 block.loaded");
        CHECK(page({.series = "s"}, bound) == "refused: unknown-series");
        CHECK(page({}, issuer) == "refused: forbidden");
        auto forged = admin;
        forged.hash[0] ^= 1;
        CHECK(page({}, forged) == "refused: unauthenticated");
        run("select gapless.token_revoke(" + std::to_string(reader.token_id) + ", 'me')");
        CHECK(page({}, reader) == "refused: unauthenticated");
    }

    TEST_CASE_FIXTURE(noticed, "a day to order by is found by the forecast that is handed over")
    {
        auto const find = [&](std::string const& forecasts) {
            return done([&](auto& transaction) { return find_notices(transaction, forecasts); });
        };
        find("{}");
        publish();
        auto const before = last().seq;
        CHECK(find(R"({"s":{"order_by":"2999-01-01","remaining":"100"}})") == 0);
        CHECK(find(R"({"s":{"order_by":"2020-01-01","remaining":"100"}})") == 1);
        CHECK(find(R"({"s":{"order_by":"2020-01-01","remaining":"90"}})") == 0);
        CHECK(find("{}") == 0);
        CHECK(publish() == 1);
        CHECK(last().seq == before + 1);
        CHECK(last().kind == "series.order_by");
        CHECK(last().data.find(R"("remaining": "100")") != std::string::npos);
    }

    TEST_CASE_FIXTURE(noticed, "it is one caller's turn to look, and not at once again")
    {
        auto const due = [&] {
            return done([](auto& transaction) { return are_notices_due(transaction); });
        };
        CHECK(due());
        CHECK_FALSE(due());
        // The clock was ahead, and was put right.
        run("update gapless.notice_look set begun_at = begun_at + interval '1 year'");
        CHECK(due());
        CHECK_FALSE(due());
    }

    TEST_CASE_FIXTURE(noticed, "what can be read begins behind what went")
    {
        auto const bounds = [&] {
            auto const found =
                done([](auto& transaction) { return read_notice_bounds(transaction); });
            return std::to_string(found.oldest) + '-' + std::to_string(found.last);
        };
        CHECK(bounds() == "1-0");
        load_block("s", {300, 399});
        publish();
        CHECK(bounds() == "1-2");
        CHECK(done([](auto& transaction) { return expire_notices(transaction); }) == 0);
        CHECK(run("select gapless.notices_expire('0 seconds', 1)") == "1");
        CHECK(bounds() == "2-2");
        CHECK(run("select gapless.notices_expire('0 seconds')") == "1");
        CHECK(bounds() == "3-2");

        // The clock was ahead at the first of two.
        load_block("s", {500, 599});
        load_block("s", {700, 799});
        publish();
        std::string const as_owner{"set local session_replication_role = replica; "};
        run(as_owner + "update gapless.notice set at = at + interval '1 year' where seq = 3");
        CHECK(run("select gapless.notices_expire('90 days')") == "0");
        run(as_owner + "update gapless.notice set at = at - interval '91 days' where seq = 4");
        CHECK(run("select gapless.notices_expire('90 days')") == "2");
        CHECK(bounds() == "5-4");
    }
}

}  // namespace notice_store_test
