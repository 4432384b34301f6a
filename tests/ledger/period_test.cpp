#include "base/moment.hpp"
#include "ledger/period.hpp"

#include <doctest/doctest.h>

namespace gapless::period_test {

std::string text(std::optional<std::string_view> from, std::optional<std::string_view> to)
{
    auto const read = read_period(from, to);
    if (read.has_error())
        return std::string{name_of(read.error().kind)} + ": " + read.error().detail;
    return (read->from ? to_rfc3339(*read->from) : "") + '/' +
           (read->to ? to_rfc3339(*read->to) : "");
}

TEST_SUITE("ledger/period")
{
    TEST_CASE("a date is all of its day, however it is written")
    {
        CHECK(text({}, {}) == "/");
        for (auto const* day : {"2026-11-02", "02.11.2026", "2.11.2026"})
            CHECK(text(day, day) == "2026-11-02T00:00:00.000000Z/2026-11-02T23:59:59.999999Z");
        CHECK(text("2026-11-02T10:00:00+01:00", {}) == "2026-11-02T09:00:00.000000Z/");
    }

    TEST_CASE("what is no moment is refused by its name, and a period that ends before it begins")
    {
        CHECK(text("soon", {}).starts_with("malformed-request: from: 'soon'"));
        CHECK(text({}, "31.02.2026").starts_with("malformed-request: to: "));
        CHECK(
            text("2026-11-02", "2026-11-01") ==
            "out-of-range: to: 2026-11-01 is before from, 2026-11-02"
        );
    }
}

}  // namespace gapless::period_test
