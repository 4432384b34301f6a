#include "harness/database.hpp"
#include "ledger/period.hpp"
#include "postgres/transaction.hpp"

#include <doctest/doctest.h>

namespace local_day_test {

using namespace gapless;

struct zoned : test::database
{
    void live_in(std::string const& zone)
    {
        run("select gapless.time_zone_set('" + zone + "', 'me')");
    }

    /// What that text means, in UTC.
    std::string begin(std::string const& written) { return moment(written, "false"); }
    std::string end(std::string const& written) { return moment(written, "true"); }

    std::string moment(std::string const& written, std::string const& ends)
    {
        return run("select gapless.moment_of('" + written + "', " + ends + ") at time zone 'UTC'");
    }
};

struct local_day
{
    std::string zone;
    std::string day;
    std::string first;  // its first moment, UTC
    std::string after;  // the first one after it
};

struct local_time
{
    std::string zone;
    std::string time;
    std::string moment;  // UTC
};

TEST_SUITE("stock/local_day_database")
{
    TEST_CASE_FIXTURE(zoned, "a day is from its first moment through its end")
    {
        for (auto const& [zone, day, first, after] : std::vector<local_day>{
                 {"UTC", "2027-12-31", "2027-12-31 00:00", "2028-01-01 00:00"},
                 {"Europe/Berlin", "2027-12-31", "2027-12-30 23:00", "2027-12-31 23:00"},
                 {"Europe/Berlin", "2026-10-25", "2026-10-24 22:00", "2026-10-25 23:00"},
                 {"Pacific/Kiritimati", "2026-11-26", "2026-11-25 10:00", "2026-11-26 10:00"},
                 // Midnight comes twice.
                 {"Atlantic/Azores", "2026-10-25", "2026-10-25 00:00", "2026-10-26 01:00"},
                 {"America/Havana", "2026-11-01", "2026-11-01 04:00", "2026-11-02 05:00"},
                 // There is none.
                 {"Atlantic/Azores", "2026-03-29", "2026-03-29 01:00", "2026-03-30 00:00"},
                 {"America/Havana", "2026-03-08", "2026-03-08 05:00", "2026-03-09 04:00"},
                 {"America/Toronto", "1919-03-31", "1919-03-31 04:30", "1919-04-01 04:00"},
                 // A minute after midnight the clock went back an hour, into the day before.
                 {"America/St_Johns", "2006-10-28", "2006-10-28 02:30", "2006-10-29 02:30"},
                 {"America/St_Johns", "2006-10-29", "2006-10-29 02:30", "2006-10-30 03:30"},
                 // The day between them was skipped: it is empty.
                 {"Pacific/Apia", "2011-12-29", "2011-12-29 10:00", "2011-12-30 10:00"},
                 {"Pacific/Apia", "2011-12-31", "2011-12-30 10:00", "2011-12-31 10:00"}})
        {
            CAPTURE(zone);
            CAPTURE(day);
            live_in(zone);
            CHECK(begin(day) == first + ":00");
            auto const last = end(day);
            CHECK(
                run("select timestamp '" + last + "' + interval '1 microsecond'") == after + ":00"
            );
            CHECK(run("select gapless.day_of('" + first + "+00')") == day);
            CHECK(run("select gapless.day_of('" + last + "+00')") == day);
        }
        CHECK(begin("2011-12-30") == "2011-12-30 10:00:00");
        CHECK(end("2011-12-30") == "2011-12-30 09:59:59.999999");
    }

    TEST_CASE_FIXTURE(zoned, "an hour that comes twice is the first, one that is skipped its end")
    {
        for (auto const& [zone, time, moment] : std::vector<local_time>{
                 {"Europe/Berlin", "2026-10-25T02:30:00", "2026-10-25 00:30:00"},
                 {"Europe/Berlin", "2026-10-25T03:00:00", "2026-10-25 02:00:00"},
                 {"Europe/Berlin", "2026-03-29T02:30:00.5", "2026-03-29 01:00:00"},
                 {"America/St_Johns", "2006-10-28T23:30:00", "2006-10-29 02:00:00"},
                 {"America/St_Johns", "2006-04-02T00:30:00", "2006-04-02 03:31:00"},
                 {"Pacific/Apia", "2011-12-30T13:00:00", "2011-12-30 10:00:00"},
                 {"Europe/Berlin", "2027-12-31T12:00:00Z", "2027-12-31 12:00:00"}})
        {
            CAPTURE(zone);
            CAPTURE(time);
            live_in(zone);
            CHECK(begin(time) == moment);
            CHECK(end(time) == moment);
        }
    }

    TEST_CASE_FIXTURE(zoned, "a day that ends beyond the years of four digits is refused")
    {
        live_in("America/Havana");
        CHECK(end("9999-12-31") == "refused: out-of-range");
        live_in("Europe/Berlin");
        CHECK(begin("0001-01-01") == "refused: out-of-range");
        CHECK(
            run("select gapless.ends_of('{2027-12-31,null,2027-12-31T12:00:00Z,2027-12-31}')") ==
            run("select array[gapless.moment_of('2027-12-31', true), null, "
                "'2027-12-31 12:00+00', gapless.moment_of('2027-12-31', true)]")
        );
    }

    TEST_CASE_FIXTURE(zoned, "what a day meant when it was entered is not moved by another zone")
    {
        create_series("s", {{100, 199}});
        live_in("Europe/Berlin");
        run("select gapless.block_load('s', 200, 299, null, null, "
            "gapless.moment_of('2099-12-31', true), 'me')");
        auto const valid = [this] {
            return run("select valid_until at time zone 'UTC' from gapless.block where block_id = 2"
            );
        };
        CHECK(valid() == "2099-12-31 22:59:59.999999");
        live_in("Pacific/Apia");
        CHECK(valid() == "2099-12-31 22:59:59.999999");
    }

    TEST_CASE_FIXTURE(zoned, "a period that ends before it begins is refused, an empty day is not")
    {
        live_in("Pacific/Apia");
        auto const check = [this](std::string_view from, std::string_view to) {
            auto const checked = run_read(connection(), [&](pqxx::transaction_base& transaction) {
                return check_period(transaction, read_period(from, to).value());
            });
            return checked.has_error() ? checked.error().detail : "fine";
        };
        CHECK(check("2011-12-30", "2011-12-30") == "fine");
        CHECK(check("2026-11-01", "2026-11-02") == "fine");
        CHECK(check("2026-11-02", "2026-11-01") == "to: 2026-11-01 is before from, 2026-11-02");
        CHECK(check("2026-11-01T11:00:00Z", "2026-11-01").starts_with("to: "));
        CHECK(check("2026-11-01T10:00:00Z", "2026-11-02") == "fine");
    }
}

}  // namespace local_day_test
