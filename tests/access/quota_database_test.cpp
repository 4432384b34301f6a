#include "harness/issuing.hpp"

#include <doctest/doctest.h>

namespace quota_test {

using namespace gapless;

/// A token with the id 1 and a quota of 100 numbers a day.
struct quota : test::issuing
{
    quota()
    {
        create_series("s", {{100, 199}});
        run("select gapless.token_create('shop', sha256('secret'), '{issue}', null, null, 'me')");
    }

    std::string granted(int count)
    {
        return run(
            "select granted from gapless.quota_reserve(1, 100, " + std::to_string(count) + ")"
        );
    }
};

TEST_SUITE("access/quota_database")
{
    TEST_CASE_FIXTURE(quota, "a day of UTC ends at midnight")
    {
        CHECK(
            run("select date '1970-01-01' + day_number = (now() at time zone 'UTC')::date, now() "
                "at time zone 'UTC' + seconds_left * interval '1 second' - date_trunc('day', now() "
                "at time zone 'UTC') between '24:00:00' and '24:00:01' from "
                "gapless.quota_reserve(1, 100, 1)") == "t|t"
        );
    }

    TEST_CASE_FIXTURE(quota, "another day has a quota of its own, and old days go")
    {
        run("insert into gapless.token_quota select 1, (now() at time zone 'UTC')::date - n, 100 "
            "from generate_series(1, 20) n");
        CHECK(granted(100) == "100");
        CHECK(run("select count(*) from gapless.token_quota") == "8");
    }

    TEST_CASE_FIXTURE(quota, "no request waits for the standby because of its quota")
    {
        CHECK(
            run("select gapless.quota_reserve(1, 100, 1); select "
                "current_setting('synchronous_commit')") == "local"
        );
        CHECK(
            run("select gapless.quota_return(1, (now() at time zone 'UTC')::date - date "
                "'1970-01-01', 1); select current_setting('synchronous_commit')") == "local"
        );
    }

    TEST_CASE_FIXTURE(quota, "a key is spent for its own owner alone")
    {
        issue("s", {"k"});
        auto const spent = [&](std::string const& owner) {
            return run(
                "select gapless.key_is_spent(" + owner + ", key) from gapless.ledger limit 1"
            );
        };
        CHECK(spent("1") == "t");
        CHECK(spent("2") == "f");
    }
}

}  // namespace quota_test
