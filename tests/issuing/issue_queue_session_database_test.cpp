#include "issuing/queue_bench.hpp"
#include "postgres/query.hpp"

namespace issue_queue_session_test {

using namespace gapless;
using namespace std::chrono_literals;
using test::queue_bench;

/// A bench whose sessions are hurt behind the service's back.
struct hurt_session : queue_bench
{
    /// Has the session of the next batch run this at its end, and issues that batch.
    std::string end_a_batch_with(std::string const& act)
    {
        run("create function hurt() returns trigger language plpgsql as $$ begin " + act +
            "; return null; end $$;"
            "create trigger hurts after insert on gapless.ledger for each statement execute "
            "function hurt()");
        auto const issued = issue({{"a"}});
        run("drop trigger hurts on gapless.ledger");
        return issued;
    }

    std::string turn_read_only()
    {
        return end_a_batch_with("perform set_config('default_transaction_read_only', 'on', false)");
    }
};

/// What the database says that is about more than one batch: of the session, or of every number.
TEST_SUITE("issuing/issue_queue_session_database")
{
    TEST_CASE_FIXTURE(
        queue_bench, "a number that is in the ledger already fences the database, for everybody"
    )
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        // Somebody put the next number into the ledger behind every guard's back.
        run("set local session_replication_role = replica;"
            "insert into gapless.ledger (series_id, count, ordinal, serial, key, issued_at, "
            "block_id, owner_id, epoch) "
            "select series_id, count, ordinal + 1, serial + 1, gen_random_uuid(), issued_at, "
            "block_id, owner_id, epoch from gapless.ledger");

        CHECK(issue({{"a"}}) == "refused: fenced");
        run_until([&] { return queue().fenced(); });
        CHECK(queue().trouble().find("range_starts_once") != std::string::npos);
        CHECK(issue({{"b"}}) == "refused: fenced");
        CHECK(run("select * from gapless.issue('s')") == "refused: fenced");
        CHECK(run("select raised_by from gapless.fence") == "instance");
        CHECK(verify() != "gapless");
    }

    TEST_CASE_FIXTURE(queue_bench, "a key that an index of another name refuses is looked up, too")
    {
        begin({{100, 199}});
        issue({{"a"}});
        // As for a while under REINDEX CONCURRENTLY or pg_repack.
        std::string name;
        SUBCASE("the old one")
        {
            name = "key_is_spent_once_ccold";
        }
        SUBCASE("a copy")
        {
            name = "index_16385";
        }
        run("alter table gapless.ledger rename constraint key_is_spent_once to " + name);
        CHECK(issue({{"a"}}) == "again 100-100");
        CHECK(issue({{"b"}, {"a"}}) == "101-101, again 100-100");
        CHECK_FALSE(queue().fenced());
        CHECK(run("select count(*) from gapless.fence") == "0");
    }

    TEST_CASE_FIXTURE(queue_bench, "a unique index of somebody else refuses, and accuses nobody")
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        run("create unique index dba on gapless.ledger (series_id, (count > 2)) where count > 2");
        CHECK(issue({{"a", 3}}) == "101-103");
        CHECK(issue({{"b", 3}}) == "refused: database-unavailable");
        CHECK_FALSE(queue().fenced());
        CHECK(run("select count(*) from gapless.fence") == "0");
        CHECK_FALSE(queue().refusing());
        run_until([&] { return issue({{"b", 3}}).empty() || queue().refusing(); });
        CHECK(issue({{"c"}}) == "104-104");
        CHECK_FALSE(queue().refusing());
        run("drop index gapless.dba");
        CHECK(issue({{"b", 3}}) == "105-107");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(queue_bench, "sessions that run no triggers are refused, and fence nothing")
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        auto const setting = "alter database " + name() + " set session_replication_role = ";
        run(setting + "replica");
        queue().reconnect("for the setting");
        run_until([&] { return queue().connected(); });
        CHECK(issue({{"a"}}) == "refused: database-unavailable");
        CHECK_FALSE(queue().fenced());
        CHECK(run("select count(*) from gapless.fence") == "0");
        run(setting + "default");
        // Each refusal ends its session; one that was opened before may be among the next ones.
        run_until([&] { return queue().connected() && issue({{"a"}}) == "101-101"; });
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(hurt_session, "a session that lost its settings is replaced")
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        auto const lose = "perform set_config('synchronous_commit', 'off', false)";
        CHECK(end_a_batch_with(lose) == "101-101");

        CHECK(issue({{"b"}}) == "refused: database-unavailable");
        run_until([&] { return queue().connected(); });
        CHECK(issue({{"b"}, {"c", 2}}) == "102-102, 103-104");
        CHECK(counters().unknown_batches == 0);
        CHECK(counters().answered_unknown == 0);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(hurt_session, "a session that forgot its statements is replaced")
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        end_a_batch_with("execute 'deallocate all'");

        run_until([&] { return issue({{"b"}, {"c", 2}}).find("refused") == std::string::npos; });
        CHECK(issue({{"a"}, {"b"}, {"c", 2}}) == "again 101-101, again 102-102, again 103-104");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(hurt_session, "a session that may not write is replaced once it may again")
    {
        begin({{100, 199}}, {.unavailable_time_max = 100ms});
        issue({{"opens the block"}});
        CHECK(turn_read_only() == "101-101");
        run("alter database " + name() + " set default_transaction_read_only = on");

        CHECK(issue({{"b"}}) == "refused: database-unavailable");
        queue().reconnect("the other connection's session is older than the setting");
        CHECK(issue({{"b"}}) == "refused: database-unavailable");
        run_until([&] {
            return queue().trouble().find("default_transaction_read_only") != std::string::npos;
        });
        run("set default_transaction_read_only = off");
        run("alter database " + name() + " reset default_transaction_read_only");
        run_until([&] { return queue().whole(); });
        CHECK(issue({{"b"}}) == "102-102");
        CHECK(verify() == "gapless");
    }
}

}  // namespace issue_queue_session_test
