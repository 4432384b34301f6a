#include "blocks/block_cases.hpp"
#include "harness/issuing.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

#include <string>

namespace block_warnings_test {

using namespace gapless;
using test::issuing;

struct warned : issuing
{
    /// The codes for a block of series s, or with `what` the details.
    std::string warnings(
        std::string const& first,
        std::string const& last,
        std::string const& valid_until = "null",
        std::string const& what = "code"
    )
    {
        return run(
            "select coalesce(string_agg(" + what +
            ", ' '), '') from gapless.block_warnings('s', '{" + first + "}', '{" + last + "}', '{" +
            valid_until + "}')"
        );
    }
};

TEST_SUITE("blocks/block_warnings_database")
{
    TEST_CASE_FIXTURE(
        warned, "the first block of a series, and one like the others, warn of nothing"
    )
    {
        create_series("s", {});
        CHECK(warnings("4901214213405250000", "4901214213405500000").empty());
        load_block("s", {4901214213405250000, 4901214213405500000});
        CHECK(warnings("4901214213505250000", "4901214213505500000").empty());
        CHECK(warnings("4901214214005250001", "4901214214005500000").empty());
    }

    TEST_CASE_FIXTURE(warned, "another prefix or length than that of all earlier blocks is told")
    {
        create_series("s", {{4901214213405250000, 4901214213405500000}});
        CHECK(warnings("4091214213505250000", "4091214213505500000") == "other-prefix");
        CHECK(
            warnings("4091214213505250000", "4091214213505500000", "null", "detail") ==
            "number 4091214213505250000 does not begin with 490121421, as those of all earlier "
            "blocks do"
        );
        CHECK(warnings("49012142135052", "49012142385052") == "other-length");
        CHECK(
            warnings("49012142135052", "49012142385052", "null", "detail") ==
            "number 49012142135052 has 14 characters, those of all earlier blocks have 19, as "
            "4901214213405250000"
        );
        // Where they differ already, nothing is shared.
        load_block("s", {100'000, 350'000});
        CHECK(warnings("49012142135052", "49012142385052").empty());
    }

    TEST_CASE_FIXTURE(warned, "short numbers have no prefix")
    {
        create_series("s", {{1'000, 1'999}});
        CHECK(warnings("2000", "2999").empty());
    }

    TEST_CASE_FIXTURE(warned, "ten times more or less than the latest block is told")
    {
        create_series("s", {{1'000, 1'099}, {2'000, 2'999}});
        CHECK(warnings("3000", "3100").empty());
        CHECK(warnings("3000", "3099") == "other-size");
        CHECK(warnings("30000", "39998", "null", "code") == "other-length");
        run("select gapless.block_withdraw(2, 'typo', 'me')");
        CHECK(warnings("3000", "3099").empty());
        CHECK(warnings("3000", "3999") == "other-size");
    }

    TEST_CASE_FIXTURE(warned, "a block that ends in less than seven days is told")
    {
        create_series("s", {});
        auto const in = [this](std::string const& span) {
            return warnings(
                "100", "199", run("select (now() + interval '" + span + "')::date::text")
            );
        };
        CHECK(in("3 days") == "short-validity");
        CHECK(in("9 days").empty());
    }

    TEST_CASE_FIXTURE(warned, "what lasts longer than two years is told, with the days")
    {
        create_series("s", {{1, 100'000}});
        run("select gapless.block_load('s', 300001, 300700, null, null, null, 'me')");
        auto const last = [this](std::string const& until) {
            return warnings("200001", until, "null", "code || ': ' || detail");
        };
        // Ten numbers a day.
        for (int const days_ago : {5, 4, 3, 2, 1})
        {
            issue("s", {.key = std::to_string(days_ago), .count = 10});
            run("set local session_replication_role = replica; update gapless.ledger "
                "set issued_at = now() - interval '" +
                std::to_string(days_ago) +
                " days' where ordinal = (select max(ordinal) from gapless.ledger)");
        }
        CHECK(run("select gapless.use_per_day(1)") == "10.0000000000000000");
        CHECK(run("select remaining from gapless.series_report('s')") == "100650");
        run("select gapless.block_close(1, 'rest', 'me')");
        CHECK(run("select remaining from gapless.series_report('s')") == "700");
        CHECK(last("206600").empty());  // 7,300 numbers: 730 days
        CHECK(
            last("206601") == "much-stock: 7301 numbers would remain, enough for 730 days at 10.0 "
                              "a day; more than 730 days"
        );
        CHECK(
            run("select count(*) from gapless.block_warnings('s', '{200001}', '{206601}', '{null}',"
                " '{200001}')") == "0"
        );
        // Of several blocks the sum counts, and the last one is named.
        CHECK(
            run("select string_agg(place || code, ' ') from gapless.block_warnings('s', "
                "'{200001,210001}', '{204000,214000}', '{null,null}')") == "2much-stock"
        );
        run("select gapless.block_withdraw(2, 'typo', 'me')");
        CHECK(last("206601").find("much-stock") == std::string::npos);
    }

    TEST_CASE_FIXTURE(warned, "nothing is said of stock while nobody knows the use")
    {
        create_series("s", {{1, 99}});
        issue("s", {.key = "k", .count = 1});
        CHECK(run("select gapless.use_per_day(1) is null") == "t");
        CHECK(warnings("101", "999") == "");
        CHECK(run("select gapless.much_stock(1, 1e15)") == "null");
    }

    TEST_CASE_FIXTURE(warned, "of twenty warnings each kind is one")
    {
        create_series("s", {{1'000, 1'999}});
        CHECK(
            run("select string_agg(code, ' ' order by code) from (select code, count(*) from "
                "gapless.block_warnings('s', "
                "array(select 2000 + 300 * n from generate_series(1, 24) n)"
                " || array(select 10000 + 10 * n from generate_series(1, 30) n),"
                "array(select 2299 + 300 * n from generate_series(1, 24) n)"
                " || array(select 10009 + 10 * n from generate_series(1, 30) n),"
                "array_fill(now() + interval '1 day', array[54])) group by code) w"
            ) == "other-length other-size short-validity"
        );
        CHECK(
            run("select count(*) from gapless.block_warnings('s', "
                "array(select 10000 + 10 * n from generate_series(1, 30) n),"
                "array(select 10009 + 10 * n from generate_series(1, 30) n),"
                "array_fill(now() + interval '1 day', array[30]))") == "20"
        );
    }

    TEST_CASE_FIXTURE(warned, "a block that touches one of another series is told")
    {
        create_series("s", {{100, 199}});
        create_series("t", {{300, 399}}, "carrier");
        create_series("u", {{600, 699}}, "elsewhere");
        CHECK(warnings("200", "299") == "neighbour");
        CHECK(
            warnings("400", "499", "null", "detail") ==
            "block 400…499 touches block 2 of series 't' (300…399)"
        );
        CHECK(warnings("401", "500").empty());
        CHECK(warnings("500", "599").empty());  // of another number space
        CHECK(warnings("200", "290").empty());
    }

    TEST_CASE_FIXTURE(warned, "what others load while a file is under way is asked at its end")
    {
        create_series("s", {});
        create_series("t", {}, "elsewhere");
        cases::load_blocks load{
            .series = "s",
            .drafts = {{.series = "s", .first = 1000000300, .last = 1000000399}},
            .lines = {2},
            .tick = [this](std::size_t) {
                load_block("t", {1000000350, 1000000449});
            }};
        pqxx::connection own{url()};
        {
            pqxx::transaction<pqxx::read_committed> transaction{own};
            auto const done = load.run(transaction, "me");
            REQUIRE(done.has_error());
            CHECK(done.error().kind == refusal_kind::confirmation_needed);
            CHECK(done.error().detail.find("has numbers of block") != std::string::npos);
        }
        load.tick = {};
        load.confirmed = {"other-series"};
        pqxx::transaction<pqxx::read_committed> transaction{own};
        CHECK(load.run(transaction, "me").has_value());
    }

    TEST_CASE_FIXTURE(warned, "numbers that another series holds are told, in any number space")
    {
        create_series("s", {});
        create_series("t", {{1000000300, 1000000399}, {500, 599}}, "elsewhere");
        create_series("b", {{340123450000000100, 340123450000000199}}, "third");
        run("select gapless.series_create('sscc', 'gs1', null, 'own', null, null, null, null, "
            "'me', null, '{\"base\": 10, \"width_min\": 9, \"head\": \"34012345\", \"tail\": "
            "\"0\", \"check\": null}')");
        CHECK(warnings("1000000200", "1000000299").empty());
        CHECK(warnings("1000000400,1000000402", "1000000400,1000000499", "null,null").empty());
        CHECK(warnings("1000000200", "1000000300") == "other-series");
        CHECK(warnings("500", "599").empty());  // too short to be a carrier's
        CHECK(
            run("select string_agg(place || ' ' || detail, '; ') from gapless.block_warnings('s', "
                "'{1000000250,1000000399}', '{1000000299,1000000450}', '{null,null}')") ==
            "2 block 1 of series 't' (1000000300…1000000399) has numbers of block "
            "1000000399…1000000450"
        );
        run("select gapless.block_withdraw(1, 'typo', 'me')");
        CHECK(warnings("1000000200", "1000000399").empty());
        // Of another format, by what is printed: serials 10…19 end in 0100…0190 there.
        run("select gapless.block_load('sscc', 10, 19, null, null, null, 'me')");
        CHECK(warnings("340123450000000150", "340123450000000150") == "other-series other-series");
        CHECK(warnings("340123450000000200", "340123450000000299").empty());
        CHECK(warnings("10", "19").empty());
    }

    TEST_CASE_FIXTURE(
        warned, "what a load is compared with does not grow with the number of series"
    )
    {
        create_series("s", {});
        run("select count(*) from (select gapless.series_create('n' || n, 'c' || n, null, 'plain', "
            "'{}', null, null, null, 'me'), gapless.block_load('n' || n, 1000000000 + n * 1000, "
            "1000000999 + n * 1000, 1000, null, null, 'me') from generate_series(1, 300) n) t");
        auto const ask = "select count(*) from gapless.block_warnings('s', '{1000005000}', "
                         "'{1000005999}', '{null}');";
        run("set enable_seqscan = off");
        CHECK(warnings("1000005000", "1000005999") == "other-series");
        for (auto const* table : {"block", "series"})
            CHECK(work_of(ask, table, "seq_tup_read + idx_tup_fetch") < 100);
    }
}

}  // namespace block_warnings_test
