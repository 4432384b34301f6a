#include "ledger/period.hpp"

#include <doctest/doctest.h>

namespace gapless::period_test {

std::string text(std::optional<std::string_view> from, std::optional<std::string_view> to)
{
    auto const read = read_period(from, to);
    if (read.has_error())
        return std::string{name_of(read.error().kind)} + ": " + read.error().detail;
    return (read->from ? read->from->text : "") + '/' + (read->to ? read->to->text : "");
}

TEST_SUITE("ledger/period")
{
    TEST_CASE("a day is read however it is written")
    {
        CHECK(text({}, {}) == "/");
        for (auto const* day : {"2026-11-02", "02.11.2026", "2.11.2026"})
            CHECK(text(day, day) == "2026-11-02/2026-11-02");
        CHECK(text("2026-11-02T10:00:00+01:00", {}) == "2026-11-02T09:00:00.000000Z/");
    }

    TEST_CASE("what is no moment is refused by its name")
    {
        CHECK(text("soon", {}).starts_with("malformed-request: from: 'soon'"));
        CHECK(text({}, "31.02.2026").starts_with("malformed-request: to: "));
        CHECK(text("9999-12-31T23:30:00-01:00", {}).starts_with("out-of-range: from: "));
    }
}

}  // namespace gapless::period_test
