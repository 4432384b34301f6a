#include "harness/cli_program.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

namespace gapless::test::cli_migrate_test {

/// An empty database, dropped at the end.
class empty_database
{
public:
    explicit empty_database(std::string const& with = {})
    {
        run_on_server("create database " + name_ + with);
    }
    ~empty_database() { run_on_server("drop database " + name_ + " with (force)"); }
    empty_database(empty_database const&) = delete;
    empty_database& operator=(empty_database const&) = delete;

    process_end run(std::vector<std::string> words) const
    {
        return run_gapless(std::move(words), url());
    }

    void change(std::string const& statement) const
    {
        pqxx::connection connection{url()};
        pqxx::nontransaction direct{connection};
        execute(direct, statement);
    }

private:
    std::string url() const { return connection_string(server_url(), {{"dbname", name_}}); }

    void run_on_server(std::string const& statement) const
    {
        pqxx::connection connection{server_url()};
        pqxx::nontransaction plain{connection};
        execute(plain, statement);
    }

    std::string name_{"gapless_cli_migrate_" + std::to_string(::getpid())};
};

TEST_SUITE("postgres/migrate_cli")
{
    TEST_CASE("a database of another encoding is left as it is")
    {
        empty_database const database{" encoding 'SQL_ASCII' locale 'C' template template0"};
        auto const end = database.run({"migrate", "up"});
        CHECK(end.code == 1);
        CHECK(contains(end.err, "the encoding of the database is SQL_ASCII, gapless needs UTF8"));
        CHECK(contains(database.run({"migrate", "status"}).out, "pending"));
    }

    TEST_CASE("an empty database is brought to the schema, once" * doctest::test_suite("night"))
    {
        empty_database const database;
        CHECK(contains(database.run({"migrate", "plan"}).out, "would apply 0001_"));
        CHECK(contains(database.run({"migrate", "up", "-n"}).out, "would apply 0001_"));
        CHECK(contains(database.run({"migrate", "status"}).out, "pending"));

        auto const up = database.run({"migrate", "up"});
        CHECK(up.code == 0);
        CHECK(contains(up.out, "applied 0001_"));
        CHECK(contains(up.out, "applied functions"));

        auto const again = database.run({"migrate", "up"});
        CHECK(again.code == 0);
        CHECK(again.out.empty());
        CHECK(contains(again.err, "nothing to do"));
        CHECK_FALSE(contains(database.run({"migrate", "status"}).out, "pending"));
    }

    TEST_CASE(
        "a schema is upgraded by the role that it belongs to, and by no other" *
        doctest::test_suite("night")
    )
    {
        empty_database const database;
        auto const role = "owner_" + std::to_string(::getpid());
        REQUIRE(database.run({"migrate", "up"}).code == 0);
        database.change("create role " + role);
        database.change("alter schema gapless owner to " + role);
        database.change("drop function gapless.series_ids()");
        CHECK(database.run({"migrate", "check"}).code == 6);
        database.change("update gapless.schema_functions set checksum = 'older'");
        auto const end = database.run({"migrate", "up"});
        database.change("alter schema gapless owner to current_user");
        database.change("drop role " + role);
        CHECK(end.code == 4);
        CHECK(contains(end.err, "the schema gapless belongs to the role " + role));
        CHECK(contains(end.err, "nothing was changed: connect as " + role));
        CHECK(database.run({"migrate", "up"}).code == 0);
        CHECK(contains(database.run({"migrate", "status", "-o", "csv"}).out, "Z,"));
    }

    TEST_CASE(
        "a database is named when it is migrated, and another one's is left alone" *
        doctest::test_suite("night")
    )
    {
        empty_database const database;
        CHECK(database.run({"migrate", "up", "--environment", "not one word"}).code == 2);
        CHECK(contains(database.run({"migrate", "status"}).out, "pending"));
        CHECK(database.run({"migrate", "up", "--environment", "production"}).code == 0);
        auto const stray = database.run({"migrate", "up", "--environment", "test"});
        CHECK(stray.code == 5);
        CHECK(contains(stray.err, "belongs to the environment 'production', not 'test'"));
        CHECK(database.run({"migrate", "up"}).code == 0);

        CHECK_FALSE(contains(database.run({"database", "environment", "test", "-n"}).err, "'test'")
        );
        CHECK(database.run({"database", "environment", "test"}).code == 0);
        CHECK(contains(database.run({"database", "environment", "-o", "csv"}).out, "test"));
        CHECK(database.run({"database", "environment", "../etc"}).code == 2);
    }

    TEST_CASE(
        "a schema is compatible while it serves an interface of this program" *
        doctest::test_suite("night")
    )
    {
        empty_database const database;
        auto const none = database.run({"migrate", "check", "--compatible"});
        CHECK(none.code == 6);
        CHECK(contains(none.out, "run: gapless migrate up"));
        REQUIRE(database.run({"migrate", "up"}).code == 0);
        CHECK(database.run({"migrate", "check", "--compatible"}).code == 0);

        // Another text of a function is a difference, and no obstacle.
        database.change("create or replace function gapless.interface() returns table"
                        " (interface integer, oldest_interface integer) language sql immutable"
                        " set search_path = pg_catalog, pg_temp as 'select 2, 1'");
        CHECK(database.run({"migrate", "check"}).code == 6);
        CHECK(database.run({"migrate", "check", "--compatible"}).code == 0);

        database.change("create or replace function gapless.interface() returns table"
                        " (interface integer, oldest_interface integer) language sql immutable"
                        " set search_path = pg_catalog, pg_temp as 'select 4, 4'");
        auto const newer = database.run({"migrate", "check", "--compatible"});
        CHECK(newer.code == 6);
        CHECK(contains(newer.out, "use a newer gapless"));
    }
}

}  // namespace gapless::test::cli_migrate_test
