#include "base/moment.hpp"
#include "base/written_value.hpp"

#include <doctest/doctest.h>

namespace moment_test {

using namespace gapless;

/// As the database is given it, or the kind of the refusal.
std::string again(std::string const& text)
{
    auto const read = written::read_moment(text);
    return read.has_value() ? *read : std::string{name_of(read.error().kind)};
}

TEST_SUITE("base/moment")
{
    TEST_CASE("a day stays a day, and a moment without a zone has none")
    {
        CHECK(again("2028-02-29") == "2028-02-29");
        CHECK(again("2027-12-31T12:00:00") == "2027-12-31T12:00:00.000000");
        CHECK(again("2027-12-31t12:00:00.5") == "2027-12-31T12:00:00.500000");
        CHECK(again("2027-12-31 12:00") == "2027-12-31T12:00:00.000000");
    }

    TEST_CASE("a moment with a zone is written in UTC with microseconds")
    {
        CHECK(again("2027-12-31T12:00:00Z") == "2027-12-31T12:00:00.000000Z");
        CHECK(again("2027-12-31T12:00:00.5+02:00") == "2027-12-31T10:00:00.500000Z");
        CHECK(again("2027-01-01T00:30:00+01:00") == "2026-12-31T23:30:00.000000Z");
    }

    TEST_CASE("anything else is refused, and what no year of four digits holds")
    {
        for (auto const* text :
             {"",
              "2027",
              "2027-13-01",
              "2027-02-29",
              "31.12.2027",
              "2027-12-31T",
              "2027-12-31Z",
              "2027-12-31T12:00:0",
              "2027-12-31T24:00:00Z",
              "2027-12-31T12:00:00Zx",
              "2027-12-31T12:00:00.Z",
              "2027-12-31T12:00:00 Europe/Berlin",
              "+027-01-01",
              "tomorrow"})
            CHECK_MESSAGE(again(text) == "malformed-request", text);
        for (auto const* text :
             {"0000-12-31", "0001-01-01T00:30:00+01:00", "0000-12-31T12:00", "10000-01-01"})
            CHECK_MESSAGE(again(text) == "out-of-range", text);
        CHECK(
            written::read_moment("2027-02-30").error().detail ==
            "there is no day '2027-02-30'; a date is year, month, day: 2027-12-31"
        );
    }
}

}  // namespace moment_test
