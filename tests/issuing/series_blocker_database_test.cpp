#include "harness/database.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

namespace series_blocker_test {

using namespace gapless;
using test::database;

struct fixture : database
{
    fixture() { create_series("s", {{100, 199}}); }

    std::string blockers() { return run("select application from gapless.series_blocker(1)"); }

    std::string url_of(std::string const& application)
    {
        return url() + " application_name=" + application;
    }
};

TEST_SUITE("issuing/series_blocker_database")
{
    TEST_CASE_FIXTURE(fixture, "who has issued and not committed is named")
    {
        CHECK(blockers() == "");
        pqxx::connection other{url_of("erp")};
        pqxx::work theirs{other};
        execute(theirs, "select gapless.issue('s', 1)");
        CHECK(blockers() == "erp");
        CHECK(
            run("select role = session_user and since is not null and pid = (select min(a.pid) "
                "from "
                "pg_stat_activity a where a.application_name = 'erp' and a.datname = "
                "current_database()) from gapless.series_blocker(1)") == "t"
        );
        theirs.abort();
        CHECK(blockers() == "");
    }

    TEST_CASE_FIXTURE(fixture, "also behind a savepoint, or with a mere lock of the tally")
    {
        pqxx::connection other{url_of("savepoint")};
        pqxx::work theirs{other};
        execute(theirs, "savepoint one");
        execute(theirs, "select from gapless.counter for update");
        CHECK(blockers() == "savepoint");
        theirs.abort();

        pqxx::connection third{url_of("clerk")};
        pqxx::work printing{third};
        execute(printing, "select from gapless.tally for update");
        CHECK(blockers() == "clerk");
    }

    TEST_CASE_FIXTURE(fixture, "all who share a row are named")
    {
        pqxx::connection first{url_of("first")};
        pqxx::connection second{url_of("second")};
        pqxx::work one{first};
        execute(one, "select from gapless.counter for share");
        pqxx::work two{second};
        execute(two, "select from gapless.counter for share");
        CHECK(blockers() == "first second");
    }
}

}  // namespace series_blocker_test
