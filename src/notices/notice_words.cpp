#include "notices/notice_words.hpp"

#include <fmt/format.h>

namespace gapless::words {

namespace {

using std::chrono::year_month_day;

std::string number_of(year_month_day const& date, language const& by)
{
    return fmt::format("{}{}", static_cast<unsigned>(date.day()), by.of_day);
}

std::string_view month_of(year_month_day const& date, language const& by)
{
    return by.months[static_cast<unsigned>(date.month()) - 1];
}

std::string year_of(year_month_day const& date)
{
    return fmt::format(" {}", static_cast<int>(date.year()));
}

}  // namespace

std::string to_day(std::chrono::sys_days day, std::chrono::year this_year, language const& by)
{
    year_month_day const date{day};
    return fmt::format(
        "{} {}{}",
        number_of(date, by),
        month_of(date, by),
        date.year() == this_year ? std::string{} : year_of(date)
    );
}

std::string to_days(
    std::chrono::sys_days from,
    std::chrono::sys_days to,
    std::chrono::year this_year,
    language const& by
)
{
    if (from == to)
        return to_day(to, this_year, by);
    year_month_day const first{from};
    year_month_day const last{to};
    auto const end = to_day(to, this_year, by);
    if (first.year() != last.year())
        return fmt::format(
            "{} {}{} – {}", number_of(first, by), month_of(first, by), year_of(first), end
        );
    if (first.month() != last.month())
        return fmt::format("{} {} – {}", number_of(first, by), month_of(first, by), end);
    return number_of(first, by) + "–" + end;
}

}  // namespace gapless::words
