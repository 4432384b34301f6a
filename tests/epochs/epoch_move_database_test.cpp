#include "harness/people.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

namespace epoch_move_test {

using namespace gapless;

/// A series at ordinal 5: two numbers for good, two on hold, one that came back.
struct movable : test::people
{
    movable()
    {
        issue("s", {.key = "held", .count = 2, .hold_seconds = 600});
        issue("s", {.key = "back", .count = 1, .hold_seconds = 600});
        run("select gapless.hold_settle(1, 0, 5, null, false, 'me')");
        run("set default_transaction_isolation = 'read committed'");
    }

    std::string prepare() { return run("select gapless.epoch_prepare_move('a new disk', 'me')"); }

    std::string complete(std::string const& epoch = "2", std::string const& reason = "moved")
    {
        return run(
            "select gapless.epoch_complete_move(" + epoch + ", '" + reason + "', '{}', 'me')"
        );
    }

    /// Another administrator wants the same.
    void propose(std::string const& epoch = "2")
    {
        CHECK(
            as("gapless_admin",
               "select gapless.epoch_propose(" + epoch + ", 'moved', '{}', 'you')") == "null"
        );
    }

    std::string life() { return run("select held, free, voided, events from gapless.tally"); }
};

TEST_SUITE("epochs/epoch_move_database")
{
    TEST_CASE_FIXTURE(movable, "a move that was prepared opens the next epoch and voids nothing")
    {
        auto const before = life();
        CHECK(prepare().empty());
        CHECK(run("select number from gapless.issue('s')") == "refused: fenced");
        CHECK(issue("s", {"x"}) == "refused: fenced");
        propose();
        CHECK(complete().empty());
        CHECK(life() == before);
        CHECK(run("select gapless.hold_settle(1, 0, 3, null, true, 'me')") == "2");
        CHECK(issue("s", {"x"}) == "104-104");
        CHECK(issue("s", {"y"}) == "105-105");
        CHECK(run("select epoch, fenced from gapless.counter") == "2|f");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(movable, "while a move is prepared nothing is changed that a copy would lack")
    {
        issue("s", {"x", 1, "Meier"});
        auto const erasure =
            run("select gapless.erasure_begin('s', null, 'Meier', 'asked for', 'me')");
        CHECK(prepare().empty());
        auto const refused = [&](std::string const& sql) {
            CAPTURE(sql);
            CHECK(run(sql) == "refused: fenced");
        };
        refused("select gapless.hold_settle(1, 0, 3, null, true, 'me')");
        refused("select gapless.hold_settle(1, 0, 3, null, false, 'me')");
        refused("select gapless.note_event(1, 'printed', '{[1,2)}', 'me', null, false)");
        refused("select gapless.block_load('s', 500, 509, null, null, null, 'me')");
        refused("select gapless.block_close(2, 'wet', 'me')");
        refused("select gapless.series_create('t', 'c', null, null, null, null, null, null, 'me')");
        refused("select gapless.manifest_close('s', current_date, 'me')");
        refused("select gapless.erase_references(" + erasure + ", 'Meier', 0, 0, 9)");
        run("set session_replication_role = replica; update gapless.hold set expires_at = now()");
        CHECK(run("select holds, blocks from gapless.sweep()") == "0|0");
        CHECK(prepare().empty());  // again is no mistake
        CHECK(run("select count(*) from gapless.fence") == "1");
    }

    TEST_CASE_FIXTURE(movable, "one administrator completes no move, whatever the proof")
    {
        CHECK(prepare().empty());
        CHECK(complete() == "refused: state-conflict");
        CHECK(run("select gapless.epoch_propose(2, 'moved', '{}', 'me')") == "null");
        CHECK(complete() == "refused: state-conflict");
        CHECK(run("select max(epoch) from gapless.epoch") == "1");
        auto const other = [&](std::string const& words) {
            return as(
                "gapless_admin", "select gapless.epoch_complete_move(" + words + ", '{}', 'you')"
            );
        };
        CHECK(other("3, 'moved'") == "refused: state-conflict");
        CHECK(other("2, ' '") == "refused: out-of-range");
        CHECK(other("2, 'moved'").empty());
    }

    TEST_CASE_FIXTURE(movable, "without a move that was prepared none is completed")
    {
        propose();
        CHECK(complete() == "refused: state-conflict");
        run("select gapless.fence_raise('a journal says so', 'me')");
        CHECK(complete() == "refused: state-conflict");
        CHECK(prepare() == "refused: state-conflict");
        CHECK(run("select count(*) from gapless.epoch_move") == "0");
    }

    TEST_CASE_FIXTURE(movable, "a series that is not as it was stops the move, and is named")
    {
        CHECK(prepare().empty());
        propose();
        for (std::string const change :
             {"update gapless.counter set next_ordinal = next_ordinal + 1",
              "update gapless.counter set turn = turn + 1",
              "update gapless.tally set events = events + 1"})
        {
            CAPTURE(change);
            pqxx::work transaction{connection()};  // taken back at its end
            execute(transaction, "set local session_replication_role = replica; " + change);
            try
            {
                execute(transaction, "select gapless.epoch_complete_move(2, 'moved', '{}', 'me')");
                FAIL("it was completed");
            }
            catch (pqxx::sql_error const& error)
            {
                CHECK(test::text(error) == "refused: state-conflict");
                CHECK(
                    std::string{error.what()}.find("series 's' is not as it was") !=
                    std::string::npos
                );
            }
        }
        CHECK(complete().empty());
    }

    TEST_CASE_FIXTURE(movable, "a fence that somebody raised meanwhile stops the move")
    {
        CHECK(prepare().empty());
        propose();
        auto const other = [&] { return run("select trouble from gapless.epoch_move_report()"); };
        CHECK(other() == "null");
        run("select gapless.fence_raise('a journal says so', 'me')");
        CHECK(other() == "a journal says so");
        CHECK(complete() == "refused: state-conflict");
    }

    TEST_CASE_FIXTURE(movable, "a database with a move can be opened like after a restore")
    {
        CHECK(prepare().empty());
        CHECK(run("select gapless.epoch_fill(1, 8, true, 'a restore', 'me')") == "3");
        propose();
        CHECK(run("select gapless.epoch_open(2, 'moved', '{}', 'me')") == "3");
        CHECK(run("select held, free, voided from gapless.tally") == "0|0|6");
        CHECK(issue("s", {"x"}) == "108-108");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(movable, "only administrators prepare and complete a move")
    {
        for (std::string const role : {"gapless_service", "gapless_app", "gapless_audit"})
        {
            CHECK(as(role, "select gapless.epoch_prepare_move('r', 'me')") == "denied");
            CHECK(as(role, "select gapless.epoch_complete_move(2, 'r', '{}', 'me')") == "denied");
        }
        CHECK(as("gapless_admin", "select gapless.epoch_prepare_move('r', 'me')").empty());
    }

    TEST_CASE_FIXTURE(movable, "a journal is noted once for each epoch and host")
    {
        auto const join = [&](std::string const& host) {
            return as(
                "gapless_service",
                "select gapless.epoch_join('00000000-0000-4000-8000-00000000000a', '" + host + "')"
            );
        };
        CHECK(join("db-1") == "null");
        CHECK(join("db-1") == "null");
        CHECK(run("select count(*) from gapless.epoch_journal") == "1");
        CHECK(join("db-2") == "db-1");  // moved there, or a clone of the machine
        CHECK(join("db-2") == "null");
        auto const known = [&] { return run("select journals from gapless.epoch_move_report()"); };
        auto const in_epoch = [](std::string const& epoch) {
            return R"([{"id": "00000000-0000-4000-8000-00000000000a", "host": "db-2", "epoch": )" +
                   epoch + "}]";
        };
        CHECK(known() == in_epoch("1"));
        // On the same server it is needed whether its instance comes back or not.
        run("select gapless.epoch_begin(2, 'a fence is lifted', 'me')");
        CHECK(known() == in_epoch("1"));
        run("select gapless.epoch_begin(3, 'a fence is lifted', 'me')");
        CHECK(known() == in_epoch("1"));
        CHECK(join("db-2") == "null");
        CHECK(known() == in_epoch("3"));
        CHECK(join("db-1") == "db-2");
        run("set session_replication_role = replica; update gapless.epoch set place = '/elsewhere' "
            "where epoch = 3; set session_replication_role = origin");
        run("select gapless.epoch_begin(4, 'moved', 'me')");
        CHECK(known() == "[]");
    }
}

}  // namespace epoch_move_test
