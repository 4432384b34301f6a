#include "base/limits.hpp"
#include "harness/issuing.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace block_life_test {

using namespace gapless;
using test::issuing;

struct block_life : issuing
{
    /// first…last state remaining of each block of s, in the order of the queue.
    std::string queue()
    {
        return run("select first || '…' || last || ' ' || state || ' ' || remaining "
                   "from gapless.block_report('s')");
    }

    std::string withdraw(int block)
    {
        return run("select gapless.block_withdraw(" + std::to_string(block) + ", 'typo', 'me')");
    }

    std::string recall(int block)
    {
        return run("select gapless.block_recall(" + std::to_string(block) + ", 'rejected', 'me')");
    }

    std::string hold(std::string const& key, int count)
    {
        return issue("s", {.key = key, .count = count, .hold_seconds = 3600});
    }

    /// Of the hold that begins at that ordinal; numbers as ordinals, empty: all.
    std::string settle(int ordinal, bool confirm, std::string const& numbers = "")
    {
        return run(
            "select gapless.hold_settle(1, 0, " + std::to_string(ordinal) + ", " +
            (numbers.empty() ? "null" : "'{" + numbers + "}'") + (confirm ? ", true" : ", false") +
            ", 'me')"
        );
    }

    std::string report(std::string const& columns, std::int64_t serial)
    {
        return run(
            "select " + columns + " from gapless.number_report(1, " + std::to_string(serial) + ")"
        );
    }

    /// What gapless verify --chain finds after everything was sealed.
    std::string chain()
    {
        run("select gapless.seal(1), gapless.seal(0)");
        return run("select findings from gapless.verify_chain(1)");
    }

    std::string load(std::string const& series, std::string const& arguments)
    {
        return run("select gapless.block_load('" + series + "', " + arguments + ")");
    }
};

TEST_SUITE("blocks/block_life_database")
{
    TEST_CASE_FIXTURE(block_life, "a block that was withdrawn can be loaded again, anywhere")
    {
        create_series("s", {{100, 199}, {200, 299}});
        create_series("t", {}, "carrier");
        CHECK(withdraw(2).empty());
        CHECK(withdraw(2).empty());  // repeatable
        CHECK(queue() == "100…199 queued 100 200…299 withdrawn 0");
        CHECK(load("t", "200, 299, null, null, null, 'me'") == "3");
        CHECK(run("select remaining, blocks from gapless.series_report('s')") == "100|1");
        CHECK(
            run("select action, after ->> 'reason' from gapless.audit_log "
                "where action in ('block.close', 'block.withdraw')"
            ) == "block.close|typo block.withdraw|typo"
        );

        // One that was closed with nothing issued, and back into the same series.
        CHECK(run("select gapless.block_close(1, 'wrong series', 'me')") == "100");
        CHECK(withdraw(1).empty());
        CHECK(load("s", "100, 199, null, null, null, 'me'") == "4");
        CHECK(issue("s", {"a"}) == "100-100");
        CHECK(verify() == "gapless");
        CHECK(chain() == "[]");
    }

    TEST_CASE_FIXTURE(block_life, "a block of which a number left is not withdrawn")
    {
        create_series("s", {{100, 199}, {200, 299}});
        issue("s", {"a", 3});
        CHECK(withdraw(1) == "refused: state-conflict");
        CHECK(run("select gapless.block_close(1, 'wet', 'me')") == "97");
        CHECK(withdraw(1) == "refused: state-conflict");
        CHECK(withdraw(9) == "refused: not-found");
        CHECK(run("select gapless.block_withdraw(2, ' ', 'me')") == "refused: out-of-range");
        CHECK(queue() == "100…199 closed 0 200…299 queued 100");
        // Nor one of which a single number is held, given back or closed with it.
        CHECK(hold("h", 1) == "200-200");
        CHECK(withdraw(2) == "refused: state-conflict");
        settle(4, false);
        CHECK(withdraw(2) == "refused: state-conflict");
        run("select gapless.block_close(2, 'wet', 'me')");
        CHECK(withdraw(2) == "refused: state-conflict");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(block_life, "numbers of a withdrawn block are nobody's")
    {
        create_series("s", {{100, 199}});
        withdraw(1);
        CHECK(run("select count(*) from gapless.number_report(1, 150)") == "0");
        CHECK(run("update gapless.block set state = 'queued', closed_serial = null, "
                  "closed_reason = null where block_id = 1")
                  .starts_with("23514"));
        CHECK(
            run("update gapless.block set state = 'closed' where block_id = 1").starts_with("23514")
        );
        CHECK(issue("s", {"a"}) == "refused: series-exhausted");
    }

    TEST_CASE_FIXTURE(
        block_life, "a recall voids what is held or came back, and keeps what was issued"
    )
    {
        create_series("s", {{100, 199}, {200, 299}});
        issue("s", {"sold", 2});
        CHECK(hold("h", 4) == "102-105");
        settle(3, false, "[3,4)");  // 102 is free again
        CHECK(recall(1).empty());
        CHECK(recall(1).empty());  // repeatable
        CHECK(
            run("select state, closed_reason, recalled_at is not null "
                "from gapless.block_report('s') limit 1") == "closed|rejected|t"
        );
        CHECK(report("state, recalled", 100) == "issued|t");
        CHECK(report("state, recalled", 102) == "voided|t");
        CHECK(report("state, recalled", 104) == "voided|t");
        CHECK(report("state, recalled", 150) == "voided|t");
        CHECK(report("state, recalled", 200) == "free|f");
        CHECK(settle(3, true) == "refused: issuance-settled");
        CHECK(issue("s", {"next"}) == "200-200");
        CHECK(run("select count(*) from gapless.audit_log where action = 'block.recall'") == "1");
        CHECK(verify() == "gapless");
        CHECK(chain() == "[]");
    }

    TEST_CASE_FIXTURE(block_life, "a recall ends all holds in one step, however many there are")
    {
        create_series("s", {{100, 199}});
        for (std::string const key : {"a", "b", "c"})
            hold(key, 2);
        CHECK(recall(1).empty());
        CHECK(
            run("select kind, first_ordinal, last_ordinal from gapless.number_event "
                "where kind in ('expired', 'voided') order by event_id") == "expired|1|6 voided|1|6"
        );
        CHECK(
            run("select bool_and(isempty(held)), range_agg(expired) from gapless.hold") ==
            "t|{[1,7)}"
        );
        CHECK(verify() == "gapless");
        CHECK(chain() == "[]");
    }

    TEST_CASE_FIXTURE(block_life, "a recall ends of a hold only what the block has of it")
    {
        create_series("s", {{100, 101}, {200, 299}});
        CHECK(hold("h", 4) == "100-101 200-201");
        CHECK(recall(1).empty());
        CHECK(report("state", 101) == "voided");
        CHECK(report("state", 200) == "held");
        CHECK(settle(1, true, "[3,5)") == "2");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        block_life, "a block that was used up is recalled, one that was withdrawn is not"
    )
    {
        create_series("s", {{100, 101}, {200, 299}});
        issue("s", {"a", 3});
        CHECK(recall(1).empty());
        CHECK(queue() == "100…101 exhausted 0 200…299 open 99");
        CHECK(run("update gapless.block set recalled_at = null where block_id = 1")
                  .starts_with("23514"));
        create_series("t", {{500, 599}}, "carrier");
        withdraw(3);
        CHECK(recall(3) == "refused: state-conflict");
        CHECK(recall(9) == "refused: not-found");
        CHECK(run("select gapless.block_recall(2, '', 'me')") == "refused: out-of-range");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(block_life, "a queued and a closed block are recalled, and may be withdrawn")
    {
        create_series("s", {{100, 199}, {200, 299}});
        run("select gapless.block_close(1, 'lost', 'me')");
        CHECK(recall(1).empty());
        CHECK(recall(2).empty());
        CHECK(
            run("select state, closed_reason, recalled_at is not null "
                "from gapless.block_report('s')") == "closed|lost|t closed|rejected|t"
        );
        // With nothing issued of it the carrier may assign it anew.
        CHECK(withdraw(2).empty());
        CHECK(load("s", "200, 299, null, null, null, 'me'") == "3");
        CHECK(issue("s", {"a"}) == "200-200");
        CHECK(report("state, recalled", 200) == "issued|f");
        CHECK(verify() == "gapless");
        CHECK(chain() == "[]");
    }

    TEST_CASE_FIXTURE(block_life, "a block goes on behind what another system issued")
    {
        create_series("s", {});
        create_series("t", {}, "carrier");
        CHECK(load("s", "100, 199, 100, null, null, 'me', 149") == "1");
        CHECK(
            run("select first, last, count, elsewhere, issued, remaining, next "
                "from gapless.block_report('s')") == "100|199|100|50|0|50|150"
        );
        CHECK(
            run("select ordinal is null, state from gapless.number_report(1, 149)") == "t|elsewhere"
        );
        CHECK(issue("s", {"a"}) == "150-150");
        CHECK(report("state", 150) == "issued");
        // Those that were issued elsewhere are nobody else's, and nothing happens to them here.
        CHECK(load("t", "100, 120, null, null, null, 'me'") == "refused: block-overlap");
        CHECK(
            run("select gapless.note_event(1, 'printed', gapless.ordinals_of(1, '{149}', '{149}'),"
                " 'me', null, false)") == "refused: state-conflict"
        );
        CHECK(run("select gapless.ordinals_of(1, '{149}', '{150}')") == "refused: state-conflict");
        CHECK(verify() == "gapless");
        CHECK(chain() == "[]");
    }

    TEST_CASE_FIXTURE(block_life, "a block of all serials there are gives numbers back")
    {
        create_series("s", {});
        CHECK(load("s", "0, 9223372036854775806, null, null, null, 'me'") == "1");
        CHECK(hold("h", 3) == "0-2");
        settle(1, false, "[2,4)");
        CHECK(
            run("select remaining, free from gapless.series_report('s')") == "9223372036854775806|2"
        );
        CHECK(issue("s", {"a"}) == "1-1");
        CHECK(recall(1).empty());
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(block_life, "the last serials there are live like any others")
    {
        std::string const last{"9223372036854775806"};
        create_series(
            "s", {{9223372036854775790, 9223372036854775799}, {9223372036854775800, serial_max}}
        );
        issue("s", {"a", 8});
        test::wanted const held{.key = "h", .count = 4, .hold_seconds = 3600};
        CHECK(
            issue("s", held) ==
            "9223372036854775798-9223372036854775799 9223372036854775800-9223372036854775801"
        );
        settle(9, false, "[11,12)");
        settle(9, true);
        CHECK(
            issue("s", held) == "again 9223372036854775798-9223372036854775799 (confirmed) "
                                "9223372036854775800-9223372036854775800 (released) "
                                "9223372036854775801-9223372036854775801 (confirmed)"
        );
        CHECK(
            issue_batch("s", {{"b"}, {"c", 2, "", true}}) ==
            "9223372036854775800-9223372036854775800, 9223372036854775802-9223372036854775803"
        );
        issue("s", {"d", 3});
        CHECK(report("state, ordinal", serial_max) == "issued|17");
        CHECK(run("select gapless.number_at(1, 17)") == last);
        CHECK(
            run("select serial, count from gapless.ledger_page(1, 10, 2, null, null, null)") ==
            "9223372036854775800|1 9223372036854775801|1 9223372036854775800|1"
        );
        run("select gapless.note_event(1, 'printed', '{[11,18)}', 'me', null, false)");
        CHECK(run("select gapless.manifest_close('s', gapless.day_of(now()), 'me')") == "7");
        CHECK(
            run("select serial, count from gapless.manifest_ranges('s', gapless.day_of(now()))") ==
            "9223372036854775800|7"
        );
        CHECK(verify() == "gapless");
        CHECK(chain() == "[]");

        // Behind so many others no ordinal stands for the last serials of a block of all of them.
        run("update gapless.series set reuse_after = '0 s'");
        CHECK(load("s", "0, " + last + ", null, null, null, 'me'") == "3");
        CHECK(issue("s", {"e"}) == "0-0");
        CHECK(
            run("select first, last from gapless.ordinals_between(1, " + last + ", " + last + ", 0)"
            ) == "17|17"
        );
    }

    TEST_CASE_FIXTURE(block_life, "numbers are loaded again so long after their last use")
    {
        create_series("s", {{100, 101}});
        run("update gapless.series set reuse_after = '1 hour'");
        hold("h", 2);
        run("set session_replication_role = replica; update gapless.ledger set issued_at = "
            "issued_at - interval '2 hours'; reset session_replication_role");
        settle(1, true);
        auto const again = [&] { return load("s", "100, 101, null, null, null, 'me'"); };
        auto const later = [&] {
            run("set session_replication_role = replica; update gapless.number_event set at = at - "
                "interval '2 hours'; reset session_replication_role");
        };
        CHECK(again() == "refused: block-overlap");  // confirmed just now
        later();
        run("select gapless.note_event(1, 'printed', '{[1,2)}', 'me', null, false)");
        CHECK(again() == "refused: block-overlap");
        later();
        CHECK(again() == "2");
    }

    TEST_CASE_FIXTURE(block_life, "an event names the number that it cannot be of")
    {
        create_series("s", {{1, 5}, {11, 15}});
        issue("s", {"a", 7});
        run("select gapless.block_close(2, 'unused', 'me')");
        auto const why = [&](std::string const& first, std::string const& last) {
            try
            {
                pqxx::work transaction{connection()};
                execute(
                    transaction,
                    "select gapless.ordinals_of(1, '{" + first + "}', '{" + last + "}')"
                );
            }
            catch (pqxx::sql_error const& error)
            {
                return std::string{error.what()};
            }
            return std::string{};
        };
        CHECK(why("5", "11").find("number 6 is in no block") != std::string::npos);
        CHECK(why("12", "13").find("number 13 is voided with its block: ") != std::string::npos);
    }

    TEST_CASE_FIXTURE(block_life, "a run of numbers goes on in the next block")
    {
        create_series("s", {{1, 3}, {4, 6}});
        CHECK(issue("s", {"a", 5}) == "1-3 4-5");
        CHECK(run("select gapless.ordinals_of(1, '{2}', '{5}')") == "{[2,6)}");
        CHECK(run("select gapless.ordinals_of(1, '{2}', '{6}')") == "refused: state-conflict");
        CHECK(issue("s", {"b"}) == "6-6");
        CHECK(run("select gapless.ordinals_of(1, '{2}', '{7}')") == "refused: unknown-number");
        // A printed number that was loaded again stays itself until it is issued again.
        run("update gapless.series set reuse_after = '1 microsecond'");
        CHECK(load("s", "2, 5, null, null, null, 'me'") == "3");
        CHECK(run("select gapless.ordinals_of(1, '{1}', '{1}')") == "{[1,2)}");
        CHECK(run("select gapless.ordinals_of(1, '{1}', '{5}')") == "{[1,6)}");
        CHECK(report("state, cycle", 3) == "issued|1");
        CHECK(issue("s", {"c", 2}) == "2-3");
        CHECK(run("select gapless.ordinals_of(1, '{1}', '{6}')") == "{[1,2),[4,9)}");
        CHECK(report("state, cycle", 3) == "issued|2");
        CHECK(report("state, cycle", 5) == "issued|1");
        CHECK(issue("s", {"d", 2}) == "4-5");
        CHECK(run("select gapless.ordinals_of(1, '{1}', '{6}')") == "{[1,2),[6,11)}");
    }

    TEST_CASE_FIXTURE(
        block_life, "an unused block is withdrawn after its numbers were loaded again"
    )
    {
        create_series("s", {{1, 3}});
        run("select gapless.block_close(1, 'unused', 'me')");
        run("update gapless.series set reuse_after = '1 microsecond'");
        CHECK(load("s", "1, 3, null, null, null, 'me'") == "2");
        CHECK(withdraw(1).empty());
        CHECK(verify() == "gapless");
        CHECK(issue("s", {"a"}) == "1-1");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(block_life, "issued until is a number of the block that leaves another one")
    {
        create_series("s", {});
        CHECK(load("s", "100, 199, null, null, null, 'me', 99") == "refused: out-of-range");
        CHECK(load("s", "100, 199, null, null, null, 'me', 199") == "refused: out-of-range");
        CHECK(load("s", "100, 199, null, null, null, 'me', 198") == "1");
    }

    TEST_CASE_FIXTURE(
        block_life, "a block whose time is over is refused, before a paid number is lost"
    )
    {
        create_series("s", {});
        CHECK(load("s", "100, 199, null, null, '2020-12-31', 'me'") == "refused: out-of-range");
        CHECK(
            run("select place from gapless.block_load_many('s', '{100,200}', '{199,299}', "
                "'{null,null}', '{null,2020-12-31}', 'me')") == "refused: out-of-range"
        );
        CHECK(queue().empty());
    }
}

}  // namespace block_life_test
