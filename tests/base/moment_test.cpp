#include "base/moment.hpp"

#include <doctest/doctest.h>

namespace moment_test {

using namespace gapless;

/// The text after reading and writing, or "none".
std::string again(std::string const& text)
{
    auto const moment = read_valid_until(text);
    return moment ? to_valid_until(*moment) : "none";
}

TEST_SUITE("base/moment")
{
    TEST_CASE("a date holds through its last microsecond and is written as a date again")
    {
        CHECK(again("2027-12-31") == "2027-12-31");
        CHECK(to_rfc3339(read_valid_until("2027-12-31").value()) == "2027-12-31T23:59:59.999999Z");
        CHECK(again("2028-02-29") == "2028-02-29");
    }

    TEST_CASE("a moment is written in UTC with microseconds")
    {
        CHECK(again("2027-12-31T12:00:00Z") == "2027-12-31T12:00:00.000000Z");
        CHECK(again("2027-12-31T12:00:00.5+02:00") == "2027-12-31T10:00:00.500000Z");
        CHECK(again("2027-12-31T00:00:00Z") == "2027-12-31T00:00:00.000000Z");
        CHECK(again("2027-01-01T00:30:00+01:00") == "2026-12-31T23:30:00.000000Z");
    }

    TEST_CASE("anything else is none")
    {
        for (auto const* text :
             {"",
              "2027",
              "2027-13-01",
              "2027-02-29",
              "31.12.2027",
              "2027-12-31T",
              "2027-12-31T12:00:00",
              "2027-12-31T24:00:00Z",
              "2027-12-31T12:00:00Zx",
              "2027-12-31T12:00:00.Z",
              "+027-01-01",
              "tomorrow"})
            CHECK_MESSAGE(again(text) == "none", text);
    }
}

}  // namespace moment_test
