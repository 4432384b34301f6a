#include "app/database_service.hpp"
#include "app/housekeeping.hpp"
#include "blocks/block_cases.hpp"
#include "harness/blocked.hpp"
#include "harness/database.hpp"
#include "http/access_service.hpp"
#include "postgres/query.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <doctest/doctest.h>

#include <map>
#include <thread>
#include <vector>

namespace database_service_test {

using namespace gapless;

/// The use cases on a database of their own, with an I/O thread.
struct fixture : test::database
{
    boost::asio::io_context io;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard{
        io.get_executor()};
    service_settings settings{
        .database_url = url(),
        .sweep = {.interval = std::chrono::milliseconds{10}},
        .accept_risk = true};
    std::unique_ptr<database_service> service{std::make_unique<database_service>(io, settings)};
    std::vector<std::unique_ptr<database_service>> others{};
    std::thread runner{[this] { io.run(); }};

    ~fixture()
    {
        guard.reset();
        io.stop();
        runner.join();
    }

    template <class T>
    T wait(boost::asio::awaitable<T> work)
    {
        return boost::asio::co_spawn(io, std::move(work), boost::asio::use_future).get();
    }

    /// "201 first-last", with " again" for a replay, or "refused: <name>".
    std::string load(std::int64_t first, std::int64_t last, std::string const& key, bool dry_run)
    {
        block_draft draft;
        draft.series = "s";
        draft.first = first;
        draft.last = last;
        std::optional<request_identity> identity;
        if (!key.empty())
            identity = request_identity{
                1, *read_idempotency_key(key), hash_token_secret(std::to_string(first))};
        renderer<cases::loaded_blocks> const render = [](cases::loaded_blocks const& done) {
            auto const& block = done.blocks.front();
            return kept_answer{201, "", block.first.printed + '-' + block.last.printed};
        };
        acting const by{
            .actor = {.name = "test", .token_id = 0, .hash = {}, .request_id = {}},
            .identity = identity};
        auto& records = service->offered().get<record_service>();
        cases::load_blocks wanted{draft.series, {draft}};
        wanted.dry_run = dry_run;
        auto const answer =
            wait(dry_run ? records.rehearse(wanted, by, render) : records.act(wanted, by, render));
        if (answer.has_error())
            return "refused: " + std::string{name_of(answer.error().kind)};
        return std::to_string(answer->answer.status) + " " + answer->answer.body +
               (answer->replayed ? " again" : "");
    }

    readiness readiness_now()
    {
        return boost::asio::post(
                   io, boost::asio::use_future([this] { return service->known_readiness(); })
        ).get();
    }

    std::string blocks() { return run("select count(*) from gapless.block"); }
};

/// The housekeeping of an instance while another one has the turn.
struct without_turn : test::database
{
    boost::asio::io_context io;
    database_threads threads{io, url(), {}, {}};
    quota_cache quotas{io, threads};
    housekeeping kept{
        io, threads, quotas, [] { return false; }, {.interval = std::chrono::milliseconds{1}}};
};

TEST_SUITE("app/database_service_database")
{
    TEST_CASE_FIXTURE(fixture, "a dry run checks like the real load and draws no id")
    {
        create_series("s", {{100, 199}});
        CHECK(load(200, 299, "", true) == "201 200-299");
        CHECK(blocks() == "1");
        CHECK(load(150, 299, "", true) == "refused: block-overlap");
        CHECK(load(3000, 3999, "", false) == "refused: confirmation-needed");
        CHECK(load(200, 299, "", false) == "201 200-299");
        CHECK(
            run("select string_agg(block_id::text, ',' order by block_id) from gapless.block") ==
            "1,2"
        );
    }

    TEST_CASE_FIXTURE(fixture, "old answers are forgotten in the background, their keys are new")
    {
        create_series("s", {{100, 199}});
        run("select gapless.owner_id('token:test')");
        auto const acted = [this](std::string const& key) {
            auto const& records = service->offered().get<record_service>();
            return records.acted_at(1, *read_idempotency_key(key)).has_value();
        };
        CHECK(load(200, 299, "old", true) == "201 200-299");
        CHECK_FALSE(acted("old"));
        CHECK(load(200, 299, "old", false) == "201 200-299");
        CHECK(acted("old"));
        CHECK_FALSE(acted("young"));
        CHECK(load(300, 399, "young", false) == "201 300-399");
        run("update gapless.answered_request set answered_at = answered_at - interval '90 days' - "
            "interval '1 minute' * (key = gapless.key_to_uuid('old'))::integer + interval '1 hour' "
            "* (key = gapless.key_to_uuid('young'))::integer");
        boost::asio::post(io, [this] { service->start(); });
        auto const kept = [this] { return run("select count(*) from gapless.answered_request"); };
        auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
        while (kept() != "1" && std::chrono::steady_clock::now() < deadline)
            std::this_thread::sleep_for(std::chrono::milliseconds{5});
        CHECK(load(300, 399, "young", false) == "201 300-399 again");
        CHECK(load(400, 499, "old", false) == "201 400-499");
    }

    TEST_CASE_FIXTURE(fixture, "figures of the series come from the database in the background")
    {
        create_series("s", {{100, 199}});
        auto const figures = [this] {
            return boost::asio::post(
                       io, boost::asio::use_future([this] { return service->figures(); })
            ).get();
        };
        CHECK_FALSE(figures().series_read);
        boost::asio::post(io, [this] { service->start(); });
        auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
        while (!figures().series_read && std::chrono::steady_clock::now() < deadline)
            std::this_thread::sleep_for(std::chrono::milliseconds{5});
        auto const known = figures();
        REQUIRE(known.series.size() == 1);
        CHECK(known.series[0].name == "s");
        CHECK(known.series[0].remaining == "100");
    }

    TEST_CASE_FIXTURE(
        fixture, "records are sealed in the background, and the figures say until when"
    )
    {
        create_series("s", {{100, 199}});
        run("select gapless.issue('s', 3)");
        auto const sealed = [this] {
            return boost::asio::post(
                       io, boost::asio::use_future([this] { return service->figures().sealed; })
            ).get();
        };
        CHECK_FALSE(sealed());
        boost::asio::post(io, [this] { service->start(); });
        auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
        while (!sealed() && std::chrono::steady_clock::now() < deadline)
            std::this_thread::sleep_for(std::chrono::milliseconds{5});
        REQUIRE(sealed());
        CHECK(run("select series_id, last from gapless.seal where kind = 'ledger'") == "1|3");
        CHECK(run("select findings from gapless.verify_chain(1)") == "[]");
    }

    TEST_CASE_FIXTURE(fixture, "a long ledger is sealed in small links")
    {
        create_series("s", {{1, 9'999}});
        run("select from gapless.issue('s')");
        run("insert into gapless.ledger (series_id, block_id, ordinal, serial, count, key, "
            "issued_at, owner_id, epoch) select 1, 1, n, n, 1, gen_random_uuid(), now(), 1, 1 "
            "from generate_series(2, 4500) n");
        boost::asio::post(io, [this] { service->start(); });
        auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
        auto const last = [&] {
            return run("select coalesce(max(last), 0) from gapless.seal where kind = 'ledger'");
        };
        while (last() != "4500" && std::chrono::steady_clock::now() < deadline)
            std::this_thread::sleep_for(std::chrono::milliseconds{5});
        CHECK(
            run("select last from gapless.seal where kind = 'ledger' order by link") ==
            "2000 4000 4500"
        );
        CHECK(run("select findings from gapless.verify_chain(1)") == "[]");
    }

    TEST_CASE("a token that is none is refused without the database")
    {
        boost::asio::io_context io;
        service_settings settings{.database_url = "postgresql://127.0.0.1:1/none"};
        database_service service{io, settings};
        auto const refused = [&](std::string token) {
            auto asked = boost::asio::co_spawn(
                io,
                service.offered().get<access_service>().identify(std::move(token)),
                boost::asio::use_future
            );
            io.restart();
            io.run();
            return std::string{name_of(asked.get().error().kind)};
        };
        auto good = to_token_text(1, make_token_secret());
        CHECK(refused(good) == "database-unavailable");
        good.back() = good.back() == 'x' ? 'y' : 'x';
        CHECK(refused(good) == "unauthenticated");
        CHECK(refused("gapless_1_junk") == "unauthenticated");
        CHECK(refused("junk") == "unauthenticated");
    }

    TEST_CASE("nobody who asks is told where the database is, and as whom it is used")
    {
        boost::asio::io_context io;
        service_settings settings{.database_url = "postgresql://someone@127.0.0.1:1/none"};
        database_service service{io, settings};
        service.start();
        std::string const told{
            "the database cannot be connected to: Connection refused; the log of gaplessd says "
            "more"};
        auto const ready = [&] {
            return service.offered().get<status_service>().known_readiness().detail;
        };
        for (int n = 0; n < 200 && ready() != told; ++n)
            io.run_for(std::chrono::milliseconds{50});
        CHECK(ready() == told);
        auto asked = boost::asio::co_spawn(
            io,
            service.offered().get<access_service>().identify(to_token_text(1, make_token_secret())),
            boost::asio::use_future
        );
        while (asked.wait_for(std::chrono::seconds{0}) != std::future_status::ready)
            io.run_one();
        CHECK(asked.get().error().detail == told);
        service.stop();
        io.run_for(std::chrono::milliseconds{50});
    }

    TEST_CASE_FIXTURE(fixture, "a new issue connection replaces the others, for they may be stale")
    {
        create_series("s", {{100, 199}});
        auto const sessions = [this](std::string const& which) {
            return run(
                "select string_agg(pid::text, ' ' order by pid) from pg_stat_activity "
                "where datname = current_database() and application_name = 'gaplessd' and " +
                which
            );
        };
        auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
        auto const ready = [&] {
            while (!readiness_now().lane || readiness_now().stale)
                REQUIRE(std::chrono::steady_clock::now() < deadline);
        };
        boost::asio::post(io, [this] { service->start(); });
        ready();
        CHECK(wait(service->find_series("s")).has_value());
        // Before its first batch these were the connection's last words; nobody else says them.
        constexpr auto last_words = "like '%epoch_%'";
        auto const of_connections = std::string{"query "} + last_words;
        // Both: one that is still being set up would be taken for one of the others.
        while (sessions(of_connections).find(' ') == std::string::npos)
            REQUIRE(std::chrono::steady_clock::now() < deadline);
        auto const connections = sessions(of_connections);
        REQUIRE(connections != "null");
        // The second of the two connections has replaced what the first series was read with.
        auto readers = std::string{"null"};
        while (readers == "null")
        {
            REQUIRE(std::chrono::steady_clock::now() < deadline);
            CHECK(wait(service->find_series("s")).has_value());
            readers = sessions(std::string{"query not "} + last_words);
        }

        run("select pg_terminate_backend(pid::integer) from unnest(string_to_array('" +
            connections + "', ' ')) as pid");
        auto const old = "pid::text = any (string_to_array('" + readers + "', ' '))";
        while (sessions(old) != "null")
            REQUIRE(std::chrono::steady_clock::now() < deadline);
        ready();
        CHECK(wait(service->find_series("s")).has_value());
    }

    TEST_CASE_FIXTURE(without_turn, "an instance without the turn looks at the clock, too")
    {
        kept.start();
        auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds{10};
        while (run("select looked_at is null from gapless.clock") == "t")
        {
            REQUIRE(std::chrono::steady_clock::now() < deadline);
            io.run_for(std::chrono::milliseconds{1});
        }
        kept.stop();
    }

    // Up to 10 s: an instance asks for the turn every 5 s, and publishes every second.
    TEST_CASE_FIXTURE(
        fixture,
        "one instance does what one is enough for; when it ends, the next one" *
            doctest::test_suite("night")
    )
    {
        run("create table public.done (what text, who text default current_setting('test.who'))");
        run("grant all on public.done to public");
        run("create or replace function gapless.sweep(p_limit integer default 1000, out holds "
            "integer, out blocks integer) language plpgsql as $$ begin insert into public.done "
            "values ('sweep'); holds := 0; blocks := 0; end $$");
        run("create or replace function gapless.notices_publish(p_limit integer default 1000) "
            "returns bigint language plpgsql as $$ begin insert into public.done values "
            "('publish'); return 0; end $$");
        auto const named = [this](std::string const& who) {
            auto of = settings;
            of.database_url += " options='-c test.who=" + who + "'";
            return others.emplace_back(std::make_unique<database_service>(io, of)).get();
        };
        auto const ready = [this](database_service& one) {
            auto const look = [&] { return one.known_readiness().ready(); };
            return boost::asio::post(io, boost::asio::use_future(look)).get();
        };
        auto const until = [](auto const& condition) {
            auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
            while (!condition())
                REQUIRE(std::chrono::steady_clock::now() < deadline);
        };
        auto const times = [this](std::string const& what, std::string const& who) {
            pqxx::nontransaction plain{connection()};
            return query_value<int>(
                plain,
                "select count(*) from public.done where what like $1 and who like $2",
                what,
                who
            );
        };

        std::map<std::string, database_service*> const both{
            {"first", named("first")}, {"second", named("second")}};
        for (auto const& [who, one] : both)
            boost::asio::post(io, [one = one] { one->start(); });
        until([&] { return ready(*both.at("first")) && ready(*both.at("second")); });
        // The lock may move once more, when both of its issue connections stand.
        std::string idle;
        until([&] {
            auto const sweeps = times("sweep", "%");
            auto const publishes = times("publish", "%");
            std::map<std::string, int> before;
            for (auto const& [who, one] : both)
                before[who] = times("%", who);
            until([&] {
                return times("sweep", "%") >= sweeps + 20 && times("publish", "%") >= publishes + 2;
            });
            for (auto const& [who, count] : before)
                if (times("%", who) == count)
                    idle = who;
            return !idle.empty();
        });

        auto* const busy = both.at(idle == "first" ? "second" : "first");
        auto const swept = times("sweep", idle);
        auto const published = times("publish", idle);
        boost::asio::post(io, boost::asio::use_future([=] { busy->stop(); })).get();
        until([&] { return times("sweep", idle) > swept && times("publish", idle) > published; });
        boost::asio::post(io, boost::asio::use_future([&] { both.at(idle)->stop(); })).get();
    }

    TEST_CASE_FIXTURE(fixture, "readiness is stale until the database has been looked at")
    {
        auto const unknown = readiness_now();
        CHECK(unknown.stale);
        CHECK_FALSE(unknown.ready());
        CHECK(unknown.detail.starts_with("stale: "));
        boost::asio::post(io, [this] { service->start(); });
        auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
        while (!readiness_now().ready())
            REQUIRE(std::chrono::steady_clock::now() < deadline);
        auto const known = readiness_now();
        CHECK(known.database);
        CHECK(known.schema);
        CHECK(known.primary);
        CHECK(known.safe);
        CHECK(known.detail.empty());
    }

    TEST_CASE_FIXTURE(fixture, "the end does not wait for a read that hangs, nor touch what ended")
    {
        create_series("s", {{100, 199}});
        pqxx::connection holder{url()};
        pqxx::work lock{holder};
        execute(lock, "lock table gapless.series");
        auto asked = boost::asio::co_spawn(io, service->find_series("s"), boost::asio::use_future);
        auto const begun = std::chrono::steady_clock::now();
        REQUIRE(test::blocks_somebody(lock));
        guard.reset();
        io.stop();
        runner.join();
        service.reset();
        runner = std::thread{[] {}};
        CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds{10});
        CHECK(asked.wait_for(std::chrono::seconds{0}) == std::future_status::timeout);
    }
}

}  // namespace database_service_test
