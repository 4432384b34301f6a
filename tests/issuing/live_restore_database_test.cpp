#include "issuing/queue_bench.hpp"
#include "postgres/embedded_sql.hpp"
#include "postgres/query.hpp"

#include <pqxx/nontransaction>

#include <string>
#include <vector>

namespace live_restore_test {

using namespace gapless;
using test::queue_bench;

/// A queue whose database is put back, or changed in a way that looks like it, while its
/// connections stand.
struct put_back : queue_bench
{
    /// Ordinals 1 to 4 were answered, the fourth number in two turns.
    void begin_and_issue()
    {
        begin({{100, 199}});
        CHECK(issue({{"a", 3}}) == "100-102");
        CHECK(issue({{.key = "held", .hold_seconds = 60}}) == "103-103");
        run("select gapless.hold_settle(1, 0, 4, null, false, 'me')");
        CHECK(issue({{"again"}}) == "103-103");
    }

    /// As an operator with the rights to pass by every guard.
    void force(std::string const& statements)
    {
        run("set local session_replication_role = replica;" + statements);
    }

    /// Outside of a transaction.
    void run_alone(std::string const& statement)
    {
        pqxx::nontransaction plain{connection()};
        execute(plain, statement);
    }

    /// The triggers of a table that was made anew, as a migration leaves them.
    void make_triggers()
    {
        for (auto const& file : embedded_functions())
            if (file.name.starts_with("counter_") || file.name == "append_only.sql")
                run(std::string{file.text});
    }

    std::string issued() { return run("select count(*) from gapless.ledger"); }
};

constexpr auto table_anew =
    "create table public.kept as select * from gapless.{};"
    "create table public.anew (like gapless.{} including all);"
    "drop table gapless.{} cascade; alter table public.anew rename to {};"
    "alter table public.{} set schema gapless;"
    "insert into gapless.{} select * from public.kept; drop table public.kept";

std::string anew(std::string const& table)
{
    std::string text{table_anew};
    for (auto at = text.find("{}"); at != std::string::npos; at = text.find("{}"))
        text.replace(at, 2, table);
    return text;
}

TEST_SUITE("issuing/live_restore_database")
{
    TEST_CASE_FIXTURE(put_back, "a database that is put back under a connection issues nothing")
    {
        struct restored
        {
            char const* what;
            std::string how;
        };
        std::vector<restored> const all{
            {"its last numbers",
             "delete from gapless.ledger where ordinal > 2;"
             "update gapless.counter set next_ordinal = 3, next_serial = 102"},
            {"its last reissue, all ordinals are there",
             "delete from gapless.ledger where turn > 0; update gapless.counter set turn = 0"},
            {"all of the series", "delete from gapless.counter"},
            {"its tables, made anew as they were", anew("counter")},
            {"the triggers do not stand yet",
             "alter table gapless.ledger disable trigger range_continues_the_ledger"},
        };
        for (auto const& [what, how] : all)
            SUBCASE(what)
            {
                begin_and_issue();
                force(how);
                auto const before = issued();
                CHECK(issue({{"b"}}) == "refused: fenced");
                CHECK(issued() == before);
                run_until([&] { return queue().fenced(); });
                CHECK(run("select trouble is not null from gapless.epoch_state()") == "t");
                CHECK(run("select gapless.issue('s')") == "refused: fenced");
            }
    }

    TEST_CASE_FIXTURE(put_back, "a batch of several series is refused where one was put back")
    {
        begin_and_issue();
        auto const first = series_id();
        auto const other = create_series("t", {{300, 399}});
        set_series_id(other);
        CHECK(issue({{"t"}}) == "300-300");
        force(
            "update gapless.counter set next_ordinal = 2, next_serial = 101 where series_id = " +
            std::to_string(first)
        );
        auto const one = submit({"one"});
        set_series_id(first);
        auto const two = submit({"two"});
        CHECK(outcome(two) == "refused: fenced");
        CHECK(outcome(one) == "301-301");  // committed before the other one was looked at alone
        run_until([&] { return queue().fenced(); });
    }

    TEST_CASE_FIXTURE(put_back, "what another instance had issued counts from the connection on")
    {
        create_series("s", {{100, 199}});
        run("select gapless.issue('s', 5)");
        set_series_id(1);
        begin_at(url(), {});
        run_until([&] { return queue().whole(); });
        force("update gapless.counter set next_ordinal = 2, next_serial = 101;"
              "delete from gapless.ledger");
        CHECK(issue({{"a"}}) == "refused: fenced");
    }

    TEST_CASE_FIXTURE(put_back, "what keeps the tables fences nobody")
    {
        begin_and_issue();
        auto n = 0;
        for (auto const* how :
             {"vacuum full gapless.counter",
              "vacuum full gapless.ledger",
              "cluster gapless.ledger using range_starts_once",
              "reindex table gapless.ledger"})
        {
            CAPTURE(how);
            run_alone(how);
            auto const key = "k" + std::to_string(++n);
            auto const got = issue({{key}, {key + "b"}, {.key = key + "h", .hold_seconds = 60}});
            CHECK(got.find("refused") == std::string::npos);
        }
        CHECK(queue().whole());
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(put_back, "an instance that missed the opening of an epoch is admitted again")
    {
        begin_and_issue();
        run_alone("select gapless.epoch_begin(2, 'r', 'me')");
        CHECK(issue({{"b"}}) == "refused: database-unavailable");
        std::string got;
        run_until([&] {
            got = issue({{"b"}});
            return got.find("refused") == std::string::npos;
        });
        CHECK(got == "104-104");
        CHECK(queue().epoch() == 2);
        CHECK_FALSE(queue().fenced());
    }

    TEST_CASE_FIXTURE(put_back, "a counter that a migration made anew is looked at anew")
    {
        begin_and_issue();
        force(
            anew("counter") + ";alter table gapless.epoch disable trigger all;"
                              "update gapless.epoch set counter_oid = 'gapless.counter'::regclass"
        );
        make_triggers();
        CHECK(issue({{"b"}}) == "refused: database-unavailable");
        std::string got;
        run_until([&] {
            got = issue({{"b"}});
            return got.find("refused") == std::string::npos;
        });
        CHECK(got == "104-104");
        CHECK_FALSE(queue().fenced());
    }
}

}  // namespace live_restore_test
