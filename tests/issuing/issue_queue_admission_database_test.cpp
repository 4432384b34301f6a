#include "harness/database.hpp"
#include "issuing/issue_queue.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

namespace issue_queue_admission_test {

using namespace gapless;
using namespace std::chrono_literals;

/// A queue whose admission check says what the test wants, without raising a fence in the database.
struct guarded : test::database
{
    ~guarded()
    {
        queue.stop();
        io.poll();
    }

    template <class Condition>
    void run_until(Condition const& condition)
    {
        auto const deadline = std::chrono::steady_clock::now() + 10s;
        while (!condition())
        {
            REQUIRE(std::chrono::steady_clock::now() < deadline);
            io.run_one_for(5ms);
        }
    }

    void submit(std::int32_t series_id, std::int32_t count, std::string& told);

    boost::asio::io_context io;
    std::atomic<bool> refuses{};              // asked on the connections' own threads
    std::atomic<std::thread::id> follower{};  // of a failover; the other connection comes later
    std::atomic<bool> answered{};
    std::vector<series_mark> noted;
    issue_queue queue{
        io,
        {.database_url = url(),
         .admit =
             [this](life_reader const& read_life, marks_reader const&) {
                 if (refuses)
                     return admission{.trouble = "made up"};
                 auto const movable = read_life().movable;
                 auto nobody = std::thread::id{};
                 auto const me = std::this_thread::get_id();
                 if (movable)
                     follower.compare_exchange_strong(nobody, me);
                 else if (follower != nobody && follower != me)
                     answered.wait(false);
                 return admission{.follow = movable};
             },
         .accept_risk = true},
        {},
        {.remember = [this](series_mark const& mark) { noted.push_back(mark); }}};
};

struct listener : issue_listener
{
    explicit listener(std::string& kept) : told{kept} {}
    void ended(result<issuance> got) override
    {
        told = got.has_error() ? std::string{name_of(got.error().kind)} : "issued";
    }

    std::string& told;
};

void guarded::submit(std::int32_t series_id, std::int32_t count, std::string& told)
{
    issue_request request;
    request.series_id = series_id;
    request.owner_id = 1;
    request.count = count;
    queue.submit(request, std::make_unique<listener>(told));
}

TEST_SUITE("issuing/issue_queue_admission_database")
{
    TEST_CASE_FIXTURE(
        guarded, "where one connection may not issue the other is dropped, and nothing is taken"
    )
    {
        queue.start();
        run_until([&] { return queue.whole(); });
        refuses = true;
        run("select pg_terminate_backend(min(pid)) from pg_stat_activity where "
            "application_name = 'gaplessd' and datname = current_database()");
        run_until([&] { return queue.fenced(); });
        CHECK_FALSE(queue.connected());

        std::string told;
        submit(1, 1, told);
        io.poll();
        CHECK(told == "fenced");  // at once

        refuses = false;
        run_until([&] { return queue.whole(); });
        CHECK_FALSE(queue.fenced());
    }

    TEST_CASE_FIXTURE(guarded, "who follows a failover issues at once, in the epoch it opened")
    {
        auto const series = create_series("s", {{100, 199}});
        run("set local session_replication_role = replica; "
            "update gapless.epoch set timeline = '00000000'");
        std::string told;
        submit(series, 1, told);
        queue.start();
        run_until([&] { return !told.empty(); });
        answered = true;
        answered.notify_all();
        CHECK(told == "issued");
        CHECK(queue.epoch() == 2);
    }

    TEST_CASE_FIXTURE(guarded, "two connections that follow a failover at once both stay")
    {
        answered = true;
        run("set local session_replication_role = replica; "
            "update gapless.epoch set timeline = '00000000'");
        test::open_transaction holder{
            url(), "lock table gapless.epoch in share row exclusive mode"};
        queue.start();
        std::string both;
        run_until([&] {
            both = run("select string_agg(pid::text, ' ' order by pid) from pg_locks where not "
                       "granted and relation = 'gapless.epoch'::regclass");
            return both.find(' ') != std::string::npos;
        });
        holder.roll_back();
        run_until([&] { return queue.whole(); });
        CHECK(queue.epoch() == 2);
        CHECK(
            run("select string_agg(pid::text, ' ' order by pid) from pg_stat_activity where "
                "application_name = 'gaplessd' and datname = current_database()") == both
        );
    }

    TEST_CASE_FIXTURE(guarded, "what is noted of an answer is its last number")
    {
        auto const id = create_series("s", {{100, 199}});
        run("select gapless.issue('s')");
        queue.start();
        run_until([&] { return queue.whole(); });
        std::string told;
        submit(id, 3, told);
        run_until([&] { return !told.empty(); });
        CHECK(told == "issued");
        CHECK(noted == std::vector<series_mark>{{id, 4, 0}});
    }

    TEST_CASE_FIXTURE(guarded, "a connection that finds another server takes the other one with it")
    {
        queue.start();
        run_until([&] { return queue.whole(); });
        std::string const connections =
            "from pg_stat_activity where application_name = 'gaplessd' and "
            "datname = current_database()";
        auto const first = run("select min(pid) " + connections);
        auto const second = run("select max(pid) " + connections);
        REQUIRE(first != second);
        // As far as new connections can tell the server is another one.
        run("do $$ begin execute replace(pg_get_functiondef('gapless.epoch_state()'::"
            "regprocedure), 'n.system_identifier, n.timeline, n.place', "
            "'n.system_identifier, ''another'', n.place'); end $$");
        run("select pg_terminate_backend(" + first + ")");
        run_until([&] {
            return run("select count(*) from pg_stat_activity where pid = " + second) == "0";
        });
        run_until([&] { return queue.whole(); });
    }
}

}  // namespace issue_queue_admission_test
