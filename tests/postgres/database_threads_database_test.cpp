#include "harness/blocked.hpp"
#include "harness/database.hpp"
#include "postgres/database_threads.hpp"
#include "postgres/query.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_future.hpp>
#include <doctest/doctest.h>

#include <future>
#include <thread>
#include <vector>

namespace database_threads_test {

using namespace gapless;
using namespace std::chrono_literals;
using tcp = boost::asio::ip::tcp;

constexpr work_order changing{.kind = work_kind::write};

/// Database threads and the I/O thread their callers live on.
struct instance
{
    boost::asio::io_context io;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard{
        io.get_executor()};
    database_threads threads;
    std::thread runner{[this] { io.run(); }};

    instance(std::string const& url, thread_limits const& limits) : threads{io, url, {}, limits} {}

    ~instance()
    {
        guard.reset();
        io.stop();
        runner.join();
    }

    boost::asio::awaitable<std::string> ask(std::string sql, work_order order)
    {
        auto work = [sql](pqxx::connection& connection) {
            return run_read_committed(connection, [&](auto& transaction) {
                return query_rows(transaction, sql).at(0).at(0).template as<std::string>("");
            });
        };
        auto const found = co_await threads.run(std::move(work), order);
        co_return found.has_error() ? std::string{name_of(found.error().kind)} : *found;
    }

    /// A statement on a database thread; its first value, or the name of the refusal.
    std::future<std::string> begin(std::string sql, work_order order = {})
    {
        return boost::asio::co_spawn(io, ask(std::move(sql), order), boost::asio::use_future);
    }

    std::string run(std::string sql, work_order order = {})
    {
        return begin(std::move(sql), order).get();
    }
};

/// Takes connections, and never says a word.
struct black_hole
{
    boost::asio::io_context io;
    tcp::acceptor acceptor{io, {boost::asio::ip::address_v4::loopback(), 0}};

    std::string port() const { return std::to_string(acceptor.local_endpoint().port()); }
};

std::string url_of(black_hole const& hole)
{
    return "host=127.0.0.1 port=" + hole.port() + " dbname=none";
}

/// 7, once nobody has that lock; for as long as it takes.
constexpr auto wait_for_lock =
    "set local lock_timeout = 0; select 7, pg_advisory_xact_lock_shared(1)";

bool is_done(std::future<std::string> const& asked)
{
    return asked.wait_for(0s) == std::future_status::ready;
}

/// Before anything happens on which it might wait.
bool is_done_soon(std::future<std::string> const& asked)
{
    return asked.wait_for(20s) == std::future_status::ready;
}

TEST_SUITE("postgres/database_threads_database")
{
    TEST_CASE_FIXTURE(
        test::database,
        "work that hangs is answered at its deadline, and its thread goes on" *
            doctest::test_suite("night")
    )
    {
        instance one{url(), {.threads = 1, .read_time_max = 2s, .write_time_max = 2s}};
        CHECK(one.run("select 1") == "1");
        CHECK(one.run("select pg_sleep(3600)") == "database-unavailable");
        CHECK(one.run("select 2") == "2");
        // It had begun, so nobody knows.
        CHECK(one.run("select pg_sleep(3600)", changing) == "outcome-unknown");
        CHECK(one.run("select 3", changing) == "3");
        // The server notices that nobody waits.
        auto const orphans = "select count(*) from pg_stat_activity where state = 'active' and "
                             "datname = current_database() and query like '%sleep(3600)%' and "
                             "pid <> pg_backend_pid()";
        auto const deadline = std::chrono::steady_clock::now() + 20s;
        while (run(orphans) != "0" && std::chrono::steady_clock::now() < deadline)
            std::this_thread::sleep_for(20ms);  // between two looks
        CHECK(run(orphans) == "0");
    }

    TEST_CASE("a server that never answers is not waited for, and nothing is begun on it")
    {
        black_hole const hole;
        instance one{url_of(hole), {.threads = 2, .read_time_max = 200ms, .write_time_max = 200ms}};
        auto read = one.begin("select 1");
        auto write = one.begin("select 1", changing);
        auto const begun = std::chrono::steady_clock::now();
        CHECK(read.get() == "database-unavailable");
        CHECK(write.get() == "database-unavailable");
        CHECK(std::chrono::steady_clock::now() - begun < connect_time_max);
        // Both threads still connect: the next one waits in vain for a turn, but not for ever.
        auto const next = one.run("select 1");
        CHECK((next == "overloaded" || next == "database-unavailable"));
    }

    TEST_CASE_FIXTURE(test::database, "six readers get past a first host that never answers")
    {
        black_hole const hole;
        auto const here = connection().hostname();
        auto const both = test::connection_string(
            url(),
            {{"host", "127.0.0.1," + std::string{here == nullptr ? "/tmp" : here}},
             {"hostaddr", ""},
             {"port", hole.port() + "," + connection().port()}}
        );
        instance one{both, {.threads = 4, .wait_max = 10s, .read_time_max = 10s}};
        std::vector<std::future<std::string>> readers;
        auto const begun = std::chrono::steady_clock::now();
        for (int n = 0; n < 6; ++n)
            readers.push_back(one.begin("select 7"));
        for (auto& reader : readers)
            CHECK(reader.get() == "7");
        CHECK(std::chrono::steady_clock::now() - begun < 15s);
    }

    TEST_CASE_FIXTURE(test::database, "locked writes leave a thread to reads, and one per series")
    {
        run("create table public.t (n int primary key, v int); "
            "insert into public.t values (1, 0), (2, 0)");
        instance one{url(), {.threads = 3, .wait_max = 30s}};
        pqxx::connection holder{url()};
        pqxx::work lock{holder};
        execute(lock, "select * from public.t where n = 1 for update");

        work_order const of_one{.kind = work_kind::write, .series_id = 1};
        work_order const of_two{.kind = work_kind::write, .series_id = 2};
        auto const touch = [](char n) {
            return std::string{"update public.t set v = v + 1 where n = "} + n + " returning n";
        };
        std::vector<std::future<std::string>> locked;
        for (int n = 0; n < 4; ++n)
            locked.push_back(one.begin(touch('1'), of_one));
        CHECK(one.run(touch('2'), of_two) == "2");
        CHECK(one.run("select 5") == "5");
        for (auto const& each : locked)
            CHECK_FALSE(is_done(each));
        // lock_timeout ends the first; the others get their turns.
        CHECK(locked[0].get() == "database-unavailable");
        lock.abort();
        for (std::size_t n = 1; n < 4; ++n)
            CHECK(locked[n].get() == "1");
        CHECK(run("select v from public.t order by n") == "3 1");
    }

    TEST_CASE_FIXTURE(test::database, "files of blocks have more time than writes, and take turns")
    {
        instance one{url(), {.threads = 4, .wait_max = 30s, .write_time_max = 1s}};
        pqxx::connection holder{url()};
        pqxx::work lock{holder};
        execute(lock, "select pg_advisory_xact_lock(1)");
        auto first = one.begin(wait_for_lock, {.kind = work_kind::load, .series_id = 1});
        auto second = one.begin("select 8", {.kind = work_kind::load, .series_id = 2});
        one.run("select pg_sleep(3600)", changing);  // until the limit of writes
        CHECK_FALSE(is_done(first));
        CHECK_FALSE(is_done(second));
        lock.commit();
        CHECK(first.get() == "7");
        CHECK(second.get() == "8");
    }

    TEST_CASE_FIXTURE(test::database, "beyond its bound work is refused at once and was not begun")
    {
        instance one{url(), {.threads = 1, .waiting_max = 3, .wait_max = 1h, .read_time_max = 1h}};
        pqxx::connection holder{url()};
        pqxx::work lock{holder};
        execute(lock, "select pg_advisory_xact_lock(1)");
        std::vector<std::future<std::string>> asked;
        for (int n = 0; n < 3; ++n)  // one has the thread, two wait for it
            asked.push_back(one.begin(wait_for_lock));
        // The I/O thread takes them up in their order, so these are beyond the bound.
        auto read = one.begin("create table public.begun ()");
        auto write = one.begin("create table public.begun ()", changing);
        CHECK(is_done_soon(read));
        CHECK(is_done_soon(write));
        for (auto const& each : asked)
            CHECK_FALSE(is_done(each));
        lock.commit();
        CHECK(read.get() == "overloaded");
        CHECK(write.get() == "overloaded");
        for (auto& each : asked)
            CHECK(each.get() == "7");
        CHECK(one.run("select 8") == "8");  // room again
        CHECK(run("select to_regclass('public.begun') is null") == "t");
    }

    TEST_CASE_FIXTURE(
        test::database, "work whose turn does not come in time is refused and not begun"
    )
    {
        instance one{url(), {.threads = 1, .wait_max = 200ms, .read_time_max = 1h}};
        pqxx::connection holder{url()};
        pqxx::work lock{holder};
        execute(lock, "select pg_advisory_xact_lock(1)");
        auto first = one.begin(wait_for_lock);
        auto late = one.begin("create table public.begun ()", changing);
        CHECK(is_done_soon(late));
        CHECK_FALSE(is_done(first));
        lock.commit();
        CHECK(late.get() == "overloaded");
        CHECK(first.get() == "7");
        CHECK(one.run("select 8") == "8");
        CHECK(run("select to_regclass('public.begun') is null") == "t");
    }

    TEST_CASE_FIXTURE(test::database, "a stop answers those who wait, and does not wait for them")
    {
        std::future<std::string> read;
        std::future<std::string> write;
        std::future<std::string> waiting;
        auto const begun = std::chrono::steady_clock::now();
        {
            instance one{url(), {.threads = 2}};
            CHECK(one.run("select 1") == "1");
            read = one.begin("select pg_sleep(3600)");
            write = one.begin("select pg_sleep(3600)", changing);
            waiting = one.begin("select 1", changing);
            while (run("select count(*) from pg_stat_activity where datname = current_database() "
                       "and query like '%sleep(3600)%' and pid <> pg_backend_pid()") != "2")
                REQUIRE(std::chrono::steady_clock::now() < begun + 20s);
            boost::asio::post(one.io, boost::asio::use_future([&] { one.threads.stop(); })).get();
            CHECK(read.get() == "database-unavailable");
            CHECK(write.get() == "outcome-unknown");
            CHECK(waiting.get() == "database-unavailable");
            CHECK(one.run("select 1") == "database-unavailable");
        }
        CHECK(std::chrono::steady_clock::now() - begun < 30s);
    }

    TEST_CASE_FIXTURE(test::database, "an end without a stop cuts off what hangs")
    {
        auto const begun = std::chrono::steady_clock::now();
        {
            instance one{url(), {.threads = 2}};
            static_cast<void>(one.begin("select pg_sleep(3600)"));
            CHECK(one.run("select 1") == "1");
        }
        CHECK(std::chrono::steady_clock::now() - begun < 30s);
    }

    TEST_CASE_FIXTURE(
        test::database, "a connection that is lent while all are forgotten is not used again"
    )
    {
        instance one{url(), {.threads = 1, .read_time_max = 60s}};
        auto const before = one.run("select pg_backend_pid()");
        CHECK(one.run("select pg_backend_pid()") == before);
        pqxx::connection holder{url()};
        pqxx::work lock{holder};
        execute(lock, "select pg_advisory_xact_lock(42)");
        auto lent = one.begin("select pg_backend_pid() from pg_advisory_xact_lock_shared(42)");
        REQUIRE(test::blocks_somebody(lock));
        one.threads.forget_connections();
        lock.abort();
        CHECK(lent.get() == before);
        CHECK(one.run("select pg_backend_pid()") != before);
    }
}

}  // namespace database_threads_test
