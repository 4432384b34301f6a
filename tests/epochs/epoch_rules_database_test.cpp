#include "harness/issuing.hpp"
#include "issuing/journal_bench.hpp"
#include "postgres/epoch_record.hpp"
#include "postgres/transaction.hpp"

#include <doctest/doctest.h>

namespace epoch_rules_test {

using namespace gapless;
using test::issuing;

/// A series that goes on at ordinal 4, in a block with two numbers left; another one is queued.
struct one_series : issuing
{
    one_series()
    {
        create_series("s", {{100, 104}, {200, 204}});
        issue("s", {"a", 3});
    }

    std::string fence() { return run("select gapless.fence_raise('a journal says so', 'me')"); }

    std::string open(int epoch, std::string const& reason = "a restore")
    {
        return run(
            "select gapless.epoch_open(" + std::to_string(epoch) + ", '" + reason + "', '{}', 'me')"
        );
    }

    std::string fill(std::int64_t last)
    {
        return run(
            "select gapless.epoch_fill(1, " + std::to_string(last) + ", false, 'a restore', 'me')"
        );
    }

    /// As if the epoch had been opened on that timeline.
    void open_on_timeline(std::string const& timeline)
    {
        run("set local session_replication_role = replica; update gapless.epoch set timeline = '" +
            timeline + "'");
    }

    /// How it stands: whether something is wrong, and whether a proof would be enough.
    std::string state()
    {
        return run("select trouble is not null, movable from gapless.epoch_state()");
    }
};

TEST_SUITE("epochs/epoch_rules_database")
{
    TEST_CASE_FIXTURE(one_series, "only the epoch that comes next is opened, and with a reason")
    {
        for (auto const* epoch : {"1", "2", "3"})
            run("insert into gapless.audit_log (actor, action, subject, after) values ('anna', "
                "'epoch.propose', '" +
                std::string{epoch} + "', '{\"role\": \"anna\", \"proof\": {}}')");
        CHECK(open(1) == "refused: state-conflict");
        CHECK(open(3) == "refused: state-conflict");
        CHECK(open(2, " ") == "refused: out-of-range");
        CHECK(run("select max(epoch) from gapless.epoch") == "1");
        CHECK(open(2) == "0");
        CHECK(run("select max(epoch) from gapless.epoch") == "2");
    }

    TEST_CASE_FIXTURE(one_series, "a raised fence is told as its own reason, and no proof lifts it")
    {
        open_on_timeline("00000000");
        CHECK(state() == "t|t");
        CHECK(fence().empty());
        CHECK(run("select trouble from gapless.epoch_state()") == "a journal says so");
        CHECK(state() == "t|f");
        CHECK(run("select gapless.epoch_follow('journal', 'me')") == "refused: fenced");
    }

    TEST_CASE_FIXTURE(one_series, "a damaged counter keeps no series from being fenced")
    {
        create_series("other", {{500, 504}});
        run("set local session_replication_role = replica; "
            "update gapless.counter set next_serial = 900 where series_id = 1");
        CHECK(fence().empty());
        CHECK(run("select bool_and(fenced) from gapless.counter") == "t");
        CHECK(
            run("update gapless.counter set last_serial = 500 where series_id = 1") ==
            "23514 the counter of series 1 is not in its block"
        );
    }

    TEST_CASE_FIXTURE(one_series, "a failover is followed once, a timeline that went back is not")
    {
        CHECK(run("select gapless.epoch_follow('journal', 'me')").empty());
        CHECK(run("select max(epoch) from gapless.epoch") == "1");

        open_on_timeline("FFFFFFFF");
        CHECK(state() == "t|f");
        CHECK(run("select gapless.epoch_follow('journal', 'me')") == "refused: fenced");

        open_on_timeline("00000000");
        CHECK(run("select number from gapless.issue('s')") == "refused: fenced");
        CHECK(run("select gapless.epoch_follow('journal', 'me')").empty());
        CHECK(run("select max(epoch) from gapless.epoch") == "2");
        CHECK(state() == "f|f");
    }

    TEST_CASE_FIXTURE(one_series, "a failover that lost a reissue stops who answered with it")
    {
        test::new_journal_folder const folder;
        test::new_journal_folder const other;
        journal answered{folder.path};
        journal early{other.path};
        auto const judge = [&](journal& one) {
            auto const look = [](auto& transaction) { return read_epoch(transaction); };
            auto const found = run_serializable(connection(), {}, look).value();
            return test::judge(one, {found.life, found.marks});
        };
        for (auto* each : {&answered, &early})
        {
            CHECK(judge(*each).trouble.empty());
            each->note({1, 3, 0});
        }
        answered.note({1, 3, 1});

        open_on_timeline("00000000");
        CHECK(judge(early).follow);
        CHECK(run("select gapless.epoch_follow('journal', 'me')").empty());
        CHECK(judge(early).trouble.empty());
        CHECK(judge(answered).raise);

        fence();
        run("insert into gapless.audit_log (actor, action, subject, after) values ('anna', "
            "'epoch.propose', '3', '{\"role\": \"anna\", \"proof\": {}}')");
        CHECK(open(3) == "0");
        CHECK(judge(answered).trouble.empty());
    }

    TEST_CASE_FIXTURE(one_series, "a single number is filled in, and none beyond the blocks")
    {
        fence();
        CHECK(fill(3) == "0");
        CHECK(fill(4) == "1");
        CHECK(fill(11) == "refused: series-exhausted");
        CHECK(fill(7) == "3");
        CHECK(fill(7) == "0");
        CHECK(verify() == "gapless");
    }

    // The block is the one that numbers left after the backup were printed from.
    TEST_CASE_FIXTURE(one_series, "a block that expires behind a fence ends once the epoch is open")
    {
        run("set local session_replication_role = replica; update gapless.block set valid_until = "
            "now() - interval '1 minute' where block_id = 1; update gapless.counter set "
            "valid_until = now() - interval '1 minute'");
        fence();
        CHECK(run("select blocks from gapless.sweep()") == "0");
        CHECK(fill(4) == "1");
        CHECK(run("select serial from gapless.ledger where ordinal = 4") == "103");
        run("insert into gapless.audit_log (actor, action, subject, after) values ('anna', "
            "'epoch.propose', '2', '{\"role\": \"anna\", \"proof\": {}}')");
        CHECK(open(2) == "0");
        CHECK(run("select blocks from gapless.sweep()") == "1");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(one_series, "a block that ended since the backup is loaded behind a fence")
    {
        auto const load = [&] {
            return run("select gapless.block_load('s', 900, 909, null, null, now() - interval '1 "
                       "minute', 'me')");
        };
        CHECK(load() == "refused: out-of-range");
        fence();
        CHECK(load() == "3");
        CHECK(fill(11) == "8");
        CHECK(run("select serial from gapless.ledger where ordinal = 11") == "900");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(one_series, "a series keeps its id once one of its days was closed")
    {
        fence();
        for (std::string const name : {"new", "closed"})
            run("select gapless.series_create('" + name +
                "', 'c', null, null, null, null, null, null, 'me')");
        run("select gapless.manifest_close('closed', current_date, 'me')");
        auto const identify = [this](std::string const& name) {
            return run("select gapless.series_identify('" + name + "', 77, 'me')");
        };
        CHECK(identify("closed") == "refused: state-conflict");
        CHECK(identify("new").empty());
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(one_series, "no row of what is filled in is longer than one of a request")
    {
        load_block("s", {1'000'000, 1'999'999});
        fence();
        CHECK(fill(250'010) == "250007");
        CHECK(run("select max(count), count(*) from gapless.ledger") == "100000|6");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(one_series, "a series has come as far as its last ordinal and its last turn")
    {
        CHECK(run("select ordinal, turn from gapless.epoch_marks()") == "3|0");
        issue("s", {.key = "h", .count = 2, .hold_seconds = 60});
        run("select gapless.hold_settle(1, 0, 4, null, false, 'me')");
        issue("s", {"b"});
        CHECK(run("select ordinal, turn from gapless.epoch_marks()") == "5|1");
    }
}

}  // namespace epoch_rules_test
