#include "access/quota_bench.hpp"
#include "postgres/query.hpp"

namespace quota_day_test {

using namespace gapless;
using namespace std::chrono_literals;
using instance = test::quota_instance;
using test::is_used_up;

/// The clock by which the database knows what day it is, in the test's hand.
struct midnight : test::quota_bench
{
    midnight()
    {
        test::database::run(
            "create table public.clock (at timestamptz not null); "
            "insert into public.clock values (now()); "
            "create function public.now_there() returns timestamptz language sql as 'select c.at "
            "from public.clock c'; "
            "do $$ begin execute replace(pg_get_functiondef('gapless.quota_reserve'::regproc), "
            "'now()', 'public.now_there()'); end $$"
        );
    }

    void set_time(std::string const& utc)
    {
        run("update public.clock set at = timestamptz '" + utc + " UTC'");
    }

    std::string reserved_on(std::string const& day)
    {
        return run("select reserved from gapless.token_quota where day = '" + day + "'");
    }
};

TEST_SUITE("access/quota_day_database")
{
    TEST_CASE_FIXTURE(midnight, "what is left of a slice at midnight is not taken the day after")
    {
        instance one{url()};
        set_time("2030-01-01 23:59:59");
        CHECK(one.take(640, 1).has_value());
        CHECK(reserved_on("2030-01-01") == "10");
        set_time("2030-01-02 00:00:00");
        one.ahead = 1s;  // it was told of the last second
        for (int n = 0; n < 9; ++n)
            CHECK(one.take(640, 1).has_value());
        CHECK(reserved_on("2030-01-01") == "10");
        CHECK(reserved_on("2030-01-02") == "10");
    }

    TEST_CASE_FIXTURE(midnight, "the day of a quota is one of the database's time zone")
    {
        run("select gapless.time_zone_set('Atlantic/Azores', 'me')");
        auto const left = [this](std::string const& utc) {
            set_time(utc);
            return run("select date '1970-01-01' + day_number, seconds_left "
                       "from gapless.quota_reserve(1, 100, 1)");
        };
        CHECK(left("2030-01-01 00:59:59.5") == "2029-12-31|1");
        CHECK(left("2030-01-01 01:00:00") == "2030-01-01|86400");
        CHECK(left("2030-10-27 00:00:00") == "2030-10-27|90000");  // its midnight comes twice
    }

    TEST_CASE_FIXTURE(midnight, "where the day of the database begins first its word counts")
    {
        instance one{url()};
        set_time("2030-01-01 12:00:00");
        CHECK(one.take(640, 1).has_value());
        set_time("2030-01-02 00:00:00");
        CHECK(one.take(640, 20).has_value());  // more than is left of the slice: asks
        CHECK(reserved_on("2030-01-01") == "10");
        CHECK(
            run("select reserved >= 20 from gapless.token_quota where day = '2030-01-02'") == "t"
        );
    }

    TEST_CASE_FIXTURE(midnight, "a share of yesterday is not given back to the quota of today")
    {
        instance one{url()};
        set_time("2030-01-01 23:59:59");
        auto const share = one.take(10, 4);
        REQUIRE(share.has_value());
        set_time("2030-01-02 00:00:00");
        one.ahead = 1s;  // it was told of the last second
        CHECK(one.take(10, 10).has_value());
        one.run([&] { one.cache.give_back(*share); });
        CHECK(is_used_up(one.take(10, 1)));
        CHECK(reserved_on("2030-01-02") == "10");
    }
}

}  // namespace quota_day_test
