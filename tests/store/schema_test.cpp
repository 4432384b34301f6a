#include "store/schema.hpp"
#include "support/issuing.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <thread>

using namespace gapless;
using test::issuing;

TEST_SUITE("store/schema")
{
    TEST_CASE_FIXTURE(issuing, "a migrated database is current, and migrating again does nothing")
    {
        CHECK(read_schema_state(connection()).current());
        CHECK(migrate(connection()).empty());
        CHECK(
            run("select migration, functions, in_recovery, epoch from gapless.health()") ==
            std::to_string(newest_migration()) + "|" + functions_checksum() + "|f|1"
        );
    }

    TEST_CASE_FIXTURE(issuing, "functions that differ are applied again, numbers stay")
    {
        create_series("s", {{100, 109}});
        issue("s", {"a", 3});
        run("update gapless.schema_functions set checksum = 'old'; drop function "
            "gapless.verify(text)");
        CHECK_FALSE(read_schema_state(connection()).current());

        CHECK(migrate(connection()).empty());
        CHECK(read_schema_state(connection()).current());
        CHECK(issue("s", {"a", 3}) == "again 100-102");
        CHECK(issue("s", {"b"}) == "103-103");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a database of a newer program, or of another one, is left alone")
    {
        SUBCASE("newer")
        {
            run("insert into gapless.schema_migration (version, name, checksum) values (9999, 'x', "
                "'x')");
        }
        SUBCASE("another")
        {
            run("update gapless.schema_migration set checksum = 'x' where version = 1");
        }
        run("update gapless.schema_functions set checksum = 'old'");

        CHECK_FALSE(read_schema_state(connection()).current());
        CHECK_THROWS_AS(migrate(connection()), std::runtime_error);
        CHECK(run("select checksum from gapless.schema_functions") == "old");
    }

    TEST_CASE_FIXTURE(issuing, "two migrators of an empty database do not get in each other's way")
    {
        run("drop schema gapless cascade");
        {
            std::vector<std::jthread> migrating;
            for (int n = 0; n < 2; ++n)
                migrating.emplace_back([this] {
                    pqxx::connection own{url()};
                    migrate(own);
                });
        }
        CHECK(read_schema_state(connection()).current());
        create_series("s", {{100, 109}});
        CHECK(issue("s", {"a", 3}) == "100-102");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "the database knows which cluster its epoch began on")
    {
        CHECK(
            run("select e.epoch, e.system_identifier = c.system_identifier, e.timeline = "
                "left(pg_walfile_name(pg_current_wal_lsn()), 8) "
                "from gapless.epoch e, pg_control_system() c") == "1|t|t"
        );
    }
}
