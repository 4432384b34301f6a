#include "base/moment.hpp"
#include "record/row.hpp"

#include <doctest/doctest.h>

namespace gapless::test::row_test {

/// The moment as RFC 3339; "no": the text is none.
std::string moment_of(std::string_view text)
{
    database_time moment;
    return detail::read_timestamp(text, moment) ? to_rfc3339(moment) : "no";
}

TEST_SUITE("record/row")
{
    TEST_CASE("moments are read as PostgreSQL writes them, in UTC")
    {
        CHECK(moment_of("2026-11-20 22:05:11+00") == "2026-11-20T22:05:11.000000Z");
        CHECK(moment_of("2026-11-20 22:05:11.1+00") == "2026-11-20T22:05:11.100000Z");
        CHECK(moment_of("2026-11-20 22:05:11.123456+00") == "2026-11-20T22:05:11.123456Z");
        CHECK(moment_of("1969-12-31 23:59:59.999999+00") == "1969-12-31T23:59:59.999999Z");
    }

    TEST_CASE("a moment in another style or zone is none, rather than a wrong one")
    {
        for (std::string_view const text :
             {"2026-11-20 22:05:11",
              "2026-11-20 22:05:11+01",
              "2026-11-20 22:05:11+00:30",
              "2026-11-20 22:05:11.1234567+00",
              "2026-11-20 22:05:11.+01",
              "2026-11-20T22:05:11+00",
              "2026-02-30 22:05:11+00",
              "20.11.2026 22:05:11+00",
              "0044-03-15 00:00:00+00 BC",
              "12026-11-20 22:05:11+00",
              "infinity",
              ""})
        {
            CAPTURE(text);
            CHECK(moment_of(text) == "no");
        }
    }

    TEST_CASE("arrays are split into their elements")
    {
        using texts = std::vector<std::string>;
        CHECK(detail::split_array("{}") == texts{});
        CHECK(detail::split_array("{a,\"b,c\",\"d\\\"e\"}") == texts{"a", "b,c", "d\"e"});
    }

    TEST_CASE("a column that does not fit its field is no value")
    {
        std::int64_t number{};
        CHECK(detail::read_column("-12", number));
        CHECK(number == -12);
        CHECK_FALSE(detail::read_column("12x", number));
        CHECK_FALSE(detail::read_column("", number));
        bool truth{};
        CHECK(detail::read_column("t", truth));
        CHECK(truth);
        CHECK_FALSE(detail::read_column("yes", truth));
    }
}

}  // namespace gapless::test::row_test
