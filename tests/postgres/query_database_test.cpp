#include "harness/database.hpp"
#include "harness/text.hpp"
#include "postgres/columns.hpp"
#include "postgres/connection.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace query_test {

using namespace gapless;

struct queries : test::database
{
    std::unique_ptr<pqxx::connection> own{open_connection(url(), connection_purpose::operation)};
    pqxx::nontransaction plain{*own};
};

/// The words of postgres/query.hpp mean the same with every version of libpqxx.
TEST_SUITE("postgres/query_database")
{
    TEST_CASE_FIXTURE(queries, "values arrive as they were given, and null as null")
    {
        auto const row = query_row(
            plain,
            "select $1::text, $2::bigint, $3::text is null, $4::boolean, $5::text, $6::bigint",
            std::string{"it's \\ \"ä\" $1"},
            std::int64_t{9'223'372'036'854'775'806},
            std::optional<std::string>{},
            true,
            std::optional<std::string>{""},
            std::optional<std::int64_t>{-1}
        );
        CHECK(row[0].as<std::string>() == "it's \\ \"ä\" $1");
        CHECK(row[1].as<std::int64_t>() == 9'223'372'036'854'775'806);
        CHECK(row[2].as<bool>());
        CHECK(row[3].as<bool>());
        CHECK(optional_text(row[4]) == "");
        CHECK(optional_number(row[5]) == -1);
    }

    TEST_CASE_FIXTURE(queries, "one row is one row, neither none nor two")
    {
        CHECK(query_value<int>(plain, "select 7") == 7);
        CHECK_THROWS_AS(
            static_cast<void>(query_row(plain, "select 7 where false")), pqxx::unexpected_rows
        );
        CHECK_THROWS_AS(
            static_cast<void>(query_value<int>(plain, "select generate_series(1, $1)", 2)),
            pqxx::unexpected_rows
        );
    }

    TEST_CASE_FIXTURE(queries, "several statements run in one call, and rows are counted")
    {
        execute(plain, "create table public.t (n int); insert into public.t values (1), (2)");
        auto const rows = query_rows(plain, "select n from public.t order by n");
        CHECK(row_count(rows) == 2);
        CHECK(test::text(rows) == "1 2");
        execute(plain, "select n from public.t");
        execute(plain, "delete from public.t where n = $1", 1);
        CHECK(row_count(query_rows(plain, "select from public.t")) == 1);
    }

    TEST_CASE_FIXTURE(
        queries, "a listener hears the server's notices while it lives, and no longer"
    )
    {
        auto const notice = [&](std::string const& text) {
            execute(plain, "do $$ begin raise warning '" + text + "'; end $$");
        };
        std::string heard;
        notice("before");
        {
            notice_listener const listening{
                *own, [&](std::string_view each) { heard += each.substr(0, each.find('\n')); }};
            notice("meanwhile");
        }
        notice("afterwards");
        CHECK(heard == "WARNING:  meanwhile");
    }

    TEST_CASE_FIXTURE(queries, "a connection that breaks stays broken")
    {
        CHECK_THROWS_AS(
            execute(plain, "select pg_terminate_backend(pg_backend_pid())"), pqxx::failure
        );
        CHECK_THROWS_AS(execute(plain, "select 1"), pqxx::failure);
        CHECK_FALSE(own->is_open());
    }
}

}  // namespace query_test
