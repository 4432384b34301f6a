#include "harness/blocked.hpp"
#include "harness/issuing.hpp"
#include "harness/json_value.hpp"
#include "postgres/query.hpp"
#include "postgres/run_operation.hpp"
#include "postgres/transaction.hpp"
#include "series/operations.hpp"

#include <doctest/doctest.h>

#include <future>

namespace consumption_test {

using namespace gapless;

struct used_by_day : test::issuing
{
    used_by_day() { create_series("s", {{1'000, 99'999}}); }

    /// Issues numbers as if it were noon (UTC) so many days ago, or just now where noon is still to
    /// come; the earliest day comes first.
    void use(int days_ago, int count, std::string const& at = "12:00")
    {
        issue("s", {.key = "key " + std::to_string(++keys_), .count = count});
        run("set local session_replication_role = replica; update gapless.ledger set issued_at = "
            "least(issued_at, ((now() at time zone 'UTC')::date - " +
            std::to_string(days_ago) + " + time '" + at +
            "') at time zone 'UTC') where ordinal = (select max(ordinal) from gapless.ledger)");
    }

    std::string gather(int limit = 500)
    {
        return run("select gapless.consumption_gather(" + std::to_string(limit) + ")");
    }

    std::string used() { return run("select numbers from gapless.consumption_report(1)"); }

    std::string gathered()
    {
        return run(
            "select string_agg((gapless.day_of(now()) - day) || ':' || numbers, ' ' order by "
            "day) from gapless.consumption"
        );
    }

private:
    int keys_{};
};

TEST_SUITE("stock/consumption_database")
{
    TEST_CASE_FIXTURE(used_by_day, "days that are over are gathered once, quiet ones as 0")
    {
        CHECK(gather() == "0");
        use(4, 3);
        use(4, 2);
        use(2, 7);
        use(0, 9);
        CHECK(gather() == "4");
        CHECK(gathered() == "4:5 3:0 2:7 1:0");
        CHECK(gather() == "0");
        CHECK(run("select used_today from gapless.consumption_report(1)") == "9");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(used_by_day, "use is told alike whether it was gathered or not")
    {
        use(3, 3);
        use(1, 4);
        use(0, 1);
        auto const before = run("select * from gapless.consumption_report(1)");
        CHECK(used() == "{3,0,4}");
        CHECK(gather(2) == "2");
        CHECK(gathered() == "3:3 2:0");
        CHECK(run("select * from gapless.consumption_report(1)") == before);
        CHECK(gather(2) == "1");
        CHECK(run("select * from gapless.consumption_report(1)") == before);
    }

    TEST_CASE_FIXTURE(used_by_day, "a series is read with what was used of it by day")
    {
        use(3, 3);
        use(1, 4);
        use(0, 1);
        auto const read = [this](std::string const& name) {
            return run_read(connection(), [&](pqxx::transaction_base& transaction) {
                return series::find(transaction, name);
            });
        };
        auto const found = read("s").value();
        CHECK(found.name == "s");
        CHECK(found.used.numbers == std::vector<std::int64_t>{3, 0, 4});
        CHECK(found.used.used_today == 1);
        CHECK(read("none").error().kind == refusal_kind::unknown_series);

        auto const& shows = series::reports.operations[0];
        std::vector<raw_value> wanted{"s", "2"};
        run_operation const runs{&shows, make_record(*shows.input, wanted, word_for_query)};
        auto const told = run_read(connection(), [&](pqxx::transaction_base& transaction) {
            return runs.run(transaction);
        });
        auto const days = test::json_value::parse(told.value().json)["days"];
        REQUIRE(days.size() == 2);
        CHECK(days[0]["numbers"] == "0");
        CHECK(days[1]["numbers"] == "4");
        CHECK(days[0]["date"].text() < days[1]["date"].text());
    }

    TEST_CASE_FIXTURE(used_by_day, "numbers last until the last block expires that is not over")
    {
        for (int const ago : {3, 2, 1})
            use(ago, 1);
        auto const days_left = [this] {
            auto const found = run_read(connection(), [&](pqxx::transaction_base& transaction) {
                return series::find(transaction, "s");
            });
            return found.value().forecast.days_left->value;
        };
        auto const load = [this](std::string const& range, std::string const& valid_until) {
            run("select from gapless.block_load('s', " + range + ", null, null, " + valid_until +
                ", 'me')");
        };
        CHECK(days_left() == 98'997);
        load("100000, 100999", "now() + interval '2 days'");
        CHECK(days_left() == 99'997);
        run("select gapless.block_close(1, 'wet', 'me')");
        CHECK(days_left() == 2);
        load("200000, 200999", "now() + interval '5 days'");
        CHECK(days_left() == 5);
        load("300000, 300999", "'294276-01-01'");
        CHECK(days_left() == 3'000);
        run("select from gapless.block_withdraw(4, 'typo', 'me')");
        CHECK(days_left() == 5);
        run("set local session_replication_role = replica; "
            "update gapless.block set valid_until = now() - interval '1 day'");
        CHECK(days_left() == 0);  // nobody has closed them yet
    }

    TEST_CASE_FIXTURE(used_by_day, "no more days are gathered in one call than asked for")
    {
        use(300, 1);
        use(0, 1);
        CHECK(gather(200) == "200");
        CHECK(gather(200) == "100");
        CHECK(gather(200) == "0");
        CHECK(run("select cardinality(numbers) from gapless.consumption_report(1)") == "300");
    }

    TEST_CASE_FIXTURE(used_by_day, "use is forgotten after 420 days")
    {
        use(1'000, 1);
        use(0, 1);
        CHECK(gather() == "420");
        run("update gapless.consumption set day = day - 5");
        CHECK(gather() == "5");
        CHECK(
            run("select count(*), min(gapless.day_of(now()) - day), max(gapless.day_of(now()) - "
                "day) from gapless.consumption") == "420|1|420"
        );
    }

    TEST_CASE_FIXTURE(used_by_day, "numbers of a transaction that was late are of the next day")
    {
        use(2, 5);
        gather();
        // What was issued two days ago and committed after that day was gathered.
        run("update gapless.consumption set numbers = 3, next_ordinal = 4 where day = "
            "gapless.day_of(now()) - 2; delete from gapless.consumption where day = "
            "gapless.day_of(now()) - 1");
        CHECK(gather() == "1");
        CHECK(gathered() == "2:3 1:2");
    }

    TEST_CASE_FIXTURE(used_by_day, "one session gathers, another one does not wait for it")
    {
        use(1, 5);
        pqxx::connection other{url()};
        pqxx::work first{other};
        CHECK(query_value<int>(first, "select gapless.consumption_gather()") == 1);
        CHECK(run("set lock_timeout = '1s'").empty());  // whoever waits is told so
        CHECK(gather() == "0");
        CHECK(issue("s", {.key = "meanwhile"}) == "1005-1005");
        first.commit();
        CHECK(gathered() == "1:5");
    }

    TEST_CASE_FIXTURE(used_by_day, "days begin as the time zone of the database says")
    {
        use(3, 4, "23:30");
        use(1, 6, "00:30");
        CHECK(gather() == "3");
        CHECK(used() == "{4,0,6}");
        CHECK(run("select gapless.time_zone_set('europe/berlin', 'me')") == "");
        CHECK(run("select gapless.time_zone()") == "Europe/Berlin");
        CHECK(run("select count(*) from gapless.consumption") == "0");
        CHECK(
            gather() == run("select gapless.day_of(now()) - (now() at time zone 'UTC')::date + 2")
        );
        CHECK(used().starts_with("{4,6"));
        CHECK(
            run("select before, after from gapless.audit_log where action = 'time_zone.set'") ==
            "\"UTC\"|\"Europe/Berlin\""
        );
    }

    TEST_CASE_FIXTURE(used_by_day, "a time zone set while days are gathered is that of all of them")
    {
        run("select gapless.time_zone_set('Etc/GMT-14', 'me')");
        use(3, 4);
        use(0, 6);
        pqxx::connection other{url()};
        std::future<std::string> gathered;
        pqxx::work setting{other};
        // Other sessions may read the zone, but not lock it: gathering waits before its own lock.
        execute(setting, "lock table gapless.calendar in exclusive mode");
        execute(setting, "select gapless.time_zone_set('Etc/GMT+12', 'me')");
        gathered = std::async(std::launch::async, [this] { return gather(); });
        REQUIRE(test::blocks_somebody(setting));
        setting.commit();
        gathered.get();
        CHECK(
            run("select count(*) > 0, max(day) = gapless.day_of(now()) - 1 from "
                "gapless.consumption") == "t|t"
        );
    }

    TEST_CASE_FIXTURE(used_by_day, "a time zone that does not exist is refused")
    {
        for (std::string const zone : {"'Europe/Berlinn'", "''", "null", "'localtime'"})
            CHECK(
                run("select gapless.time_zone_set(" + zone + ", 'me')") == "refused: out-of-range"
            );
        CHECK(run("select gapless.time_zone()") == "UTC");
        CHECK(run("select count(*) from gapless.audit_log where action = 'time_zone.set'") == "0");
    }
}

}  // namespace consumption_test
