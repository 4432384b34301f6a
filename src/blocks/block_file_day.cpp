#include "blocks/block_file_day.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace gapless {

std::vector<std::string> read_days(std::string_view text)
{
    std::vector<std::string> days;
    auto const one = text.find_first_of("./-");
    auto const two = one == text.npos ? one : text.find(text[one], one + 1);
    if (two == text.npos)
        return days;
    auto const mark = text[one];
    std::string_view const parts[]{
        text.substr(0, one), text.substr(one + 1, two - one - 1), text.substr(two + 1)};
    if (!std::ranges::all_of(parts, all_digits))
        return days;
    auto const add = [&](std::string_view year, std::string_view month, std::string_view day) {
        if ((year.size() != 2 && year.size() != 4) || month.size() > 2 || day.size() > 2)
            return;
        auto const of = [](std::string_view digits) { return *read_decimal<unsigned>(digits); };
        std::chrono::year_month_day const read{
            std::chrono::year{static_cast<int>(of(year)) + (year.size() == 2 ? 2000 : 0)},
            std::chrono::month{of(month)},
            std::chrono::day{of(day)}};
        auto const shown = fmt::format(
            "{:04}-{:02}-{:02}",
            static_cast<int>(read.year()),
            static_cast<unsigned>(read.month()),
            static_cast<unsigned>(read.day())
        );
        if (read.ok() && std::ranges::find(days, shown) == days.end())
            days.push_back(shown);
    };
    auto const& [a, b, c] = parts;
    add(c, b, a);
    if (mark != '.')
        add(c, a, b);
    if (a.size() == 4 || (mark == '-' && c.size() == 2))
        add(a, b, c);
    return days;
}

}  // namespace gapless
