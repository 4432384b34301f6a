#include "blocks/load_block_file.hpp"
#include "formats/catalogue.hpp"
#include "harness/issuing.hpp"

#include <doctest/doctest.h>
#include <pqxx/pqxx>

namespace block_load_many_test {

using namespace gapless;
using test::issuing;

struct many_blocks : issuing
{
    many_blocks() { create_series("s", {}); }

    /// gapless.block_load_many with these ends.
    std::string load_many(std::string const& firsts, std::string const& lasts)
    {
        return run(
            "select * from gapless.block_load_many('s', '" + firsts + "', '" + lasts +
            "', array_fill(null::text, array[cardinality('" + firsts +
            "'::bigint[])]), array_fill(null::timestamptz, array[cardinality('" + firsts +
            "'::bigint[])]), 'me')"
        );
    }

    std::string queue()
    {
        return run("select first, state, position from gapless.block_report('s')");
    }

    std::string acts() { return run("select count(*) from gapless.audit_log"); }
};

TEST_SUITE("blocks/block_load_many_database")
{
    TEST_CASE_FIXTURE(
        many_blocks, "many blocks are loaded in their order, with one act in the audit log"
    )
    {
        load_block("s", {50, 59});
        CHECK(load_many("{300,100,200}", "{309,109,200}") == "1|2|null 2|3|null 3|4|null");
        CHECK(queue() == "50|queued|1 300|queued|2 100|queued|3 200|queued|4");
        CHECK(acts() == "3");
        CHECK(
            run("select actor, action, subject from gapless.audit_log order by audit_id desc limit "
                "1") == "sql:me|block.load|s"
        );
        CHECK(issue("s", {"a", 31}) == "50-59 300-309 100-109 200-200");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(many_blocks, "of many blocks all are loaded or none")
    {
        load_block("s", {100, 109});
        load_block("s", {200, 209});
        CHECK(
            load_many("{300,105,250}", "{309,205,259}") ==
            "2|null|block 1 of series 's' (100…109), block 2 of series 's' (200…209)"
        );
        CHECK(load_many("{300,305}", "{309,315}") == "refused: block-overlap");
        CHECK(load_many("{300,409}", "{309,400}").starts_with("refused"));
        CHECK(load_many("{300,-1}", "{309,0}").starts_with("refused"));
        CHECK(load_many("{300,null}", "{309,400}").starts_with("refused"));
        CHECK(queue() == "100|queued|1 200|queued|2");
        CHECK(acts() == "3");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(many_blocks, "only blocks of a file that overlap another one are looked at")
    {
        load_block("s", {900, 909});
        // Asked for each block, they are three quarters of what a load costs.
        CHECK(
            run("set local track_functions = 'all'; "
                "select from gapless.block_load_many('s', '{100,200}', '{109,209}', '{null,null}', "
                "'{null,null}', 'me'); "
                "select from gapless.block_preview('s', '{300,400,905}', '{309,409,914}', "
                "'{null,null,null}', '{null,null,null}', 'me'); "
                "select string_agg(funcname || ' ' || calls, ', ') from "
                "pg_stat_xact_user_functions where funcname in "
                "('overlapping_blocks', 'blocks_printed_alike')") == "overlapping_blocks 1"
        );
    }

    TEST_CASE_FIXTURE(many_blocks, "of another format only blocks near the numbers are looked at")
    {
        run("select gapless.series_create('tens', 'carrier', null, 'own', null, null, null, "
            "null, 'me', null, '{\"base\": 10, \"width_min\": 1, \"width_max\": 9, "
            "\"head\": \"\", \"tail\": \"0\", \"check\": null}')");
        for (int n = 100; n < 140; ++n)
            load_block("tens", {10 * n, 10 * n + 4});
        // 10500 is printed by serial 1050 there.
        CHECK(
            run("set local track_functions = 'all'; "
                "select from gapless.block_load_many('s', '{20000,10496}', '{20009,10500}', "
                "'{null,null}', '{null,null}', 'me'); "
                "select calls from pg_stat_xact_user_functions where funcname = 'shared_number'"
            ) == "1"
        );
    }

    TEST_CASE_FIXTURE(many_blocks, "a wrong count is refused with the numbers of the block")
    {
        run("select gapless.series_create('f', 'f', null, 'fedex-express-12', null, null, null, "
            "null, 'me')");
        block_draft draft{.series = "f", .first = 79479134194, .last = 79479134201};
        draft.count = "9";
        pqxx::work transaction{connection()};
        auto const end =
            cases::load_blocks{.series = "f", .drafts = {draft}}.run(transaction, "me");
        REQUIRE(end.has_error());
        CHECK(
            end.error().detail ==
            "block 794791341943…794791342012 holds 8 numbers, both ends included, not 9"
        );
    }

    TEST_CASE_FIXTURE(many_blocks, "a file that would take too long is refused before it begins")
    {
        std::string bytes{"first,last\n"};
        for (int n = 0; n <= 30'000; ++n)
            bytes += std::to_string(2 * n) + ',' + std::to_string(2 * n + 1) + '\n';
        series_entry const series{1, "s", bound_format::bind(*find_format("plain"), {}).value()};
        pqxx::work transaction{connection()};
        cases::load_block_file const file{&series, std::make_shared<std::string const>(bytes)};
        auto const refused = file.run(transaction, "me");
        REQUIRE(refused.has_error());
        CHECK(refused.error().detail.starts_with("the file has 30001 blocks, more than 30000"));
    }
}

}  // namespace block_load_many_test
