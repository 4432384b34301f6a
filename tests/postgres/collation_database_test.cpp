#include "harness/issuing.hpp"
#include "postgres/query.hpp"
#include "postgres/schema.hpp"

#include <doctest/doctest.h>

namespace collation_test {

using namespace gapless;
using test::issuing;

/// A second database, in which text is sorted in another way: aa behind z, ä behind that, _ before
/// letters and digits, capital letters beside small ones.
struct danish : issuing
{
    danish()
    {
        pqxx::connection server{test::server_url()};
        pqxx::nontransaction plain{server};
        execute(
            plain,
            "create database " + other +
                " template template0 encoding 'UTF8' locale_provider icu icu_locale 'da'"
        );
        pqxx::connection fresh{in_other()};
        migrate(fresh);
    }

    ~danish()
    {
        pqxx::connection server{test::server_url()};
        pqxx::nontransaction plain{server};
        execute(plain, "drop database if exists " + other + " with (force)");
    }

    std::string in_other() const
    {
        return test::connection_string(test::server_url(), {{"dbname", other}});
    }

    /// The same statement in both databases; they have to agree.
    std::string both(std::string const& sql)
    {
        pqxx::connection there{in_other()};
        auto const here = run(sql);
        CAPTURE(sql);
        CHECK(test::run(there, sql) == here);
        return here;
    }

    std::string const other{name() + "_danish"};
};

TEST_SUITE("postgres/collation_database")
{
    TEST_CASE_FIXTURE(issuing, "no text column and no index of ours depends on a collation but C")
    {
        CHECK(
            run("select c.relname, a.attname from pg_attribute a join pg_class c on c.oid = "
                "a.attrelid join pg_collation l on l.oid = a.attcollation where c.relnamespace = "
                "'gapless'::regnamespace and c.relkind in ('r', 'p', 'm') and a.attnum > 0 and not "
                "a.attisdropped and l.collname <> 'C' order by 1, 2")
                .empty()
        );
        auto const indexed = [&](std::string const& condition) {
            return run(
                "select i.indexrelid::regclass from pg_index i join pg_class c on c.oid = "
                "i.indrelid cross join unnest(i.indcollation::oid[]) k (oid) join "
                "pg_collation l on l.oid = k.oid where c.relnamespace = "
                "'gapless'::regnamespace and l.collname " +
                condition + " order by 1"
            );
        };
        CHECK(indexed("<> 'C'").empty());
        CHECK(indexed("= 'C'").find("blocks_of_a_space_do_not_overlap") != std::string::npos);
    }

    TEST_CASE_FIXTURE(
        danish,
        "another collation of the database changes no order and no rule" *
            doctest::test_suite("night")
    )
    {
        pqxx::connection there{in_other()};
        CHECK(test::run(there, "select 'aa' > 'z'") == "t");
        CHECK(run("select 'aa' > 'z'") == "f");
        for (std::string const series : {"b", "aa", "z", "a_b", "a-b", "a0"})
        {
            both(
                "select gapless.series_create('" + series + "', upper('" + series.substr(0, 1) +
                "') || '" + series.substr(1) + "', null, null, null, null, null, null, 'me')"
            );
            both("select gapless.block_load('" + series + "', 1, 9, null, null, null, 'me')");
            both(
                "select number from gapless.issue('" + series + "', 2, key => 'k-" + series +
                "', reference => 'Å 1')"
            );
        }
        CHECK(
            both("select string_agg(name, ' ') from gapless.series_report(null)") ==
            "a-b a0 a_b aa b z"
        );
        CHECK(
            both("select number from gapless.issue('aa', 2, key => 'k-aa', reference => 'Å 1')") ==
            "1 2"
        );
        CHECK(both("select count(*) from gapless.ledger where reference = 'Å 1'") == "6");
        CHECK(
            both("select gapless.block_load('aa', 9, 12, null, null, null, 'me')") ==
            "refused: block-overlap"
        );
        CHECK(both("select count(*) from gapless.verify()") == "0");
        CHECK(both("select number from gapless.issue('AA')") == "refused: unknown-series");
    }
}

}  // namespace collation_test
