#include "blocks/block_file_day.hpp"

#include "base/text.hpp"
#include "base/written_value.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gapless {

namespace {

/// 1 to 12 for the name of a month, German or English, full or abbreviated; 0: not a month.
unsigned read_month(std::string_view name)
{
    constexpr std::string_view starts{"jan feb mar apr mai jun jul aug sep okt nov dez "
                                      "jan feb mrz apr may jun jul aug sep oct nov dec "
                                      "jan feb m\xc3\xa4r apr "};
    auto const start =
        to_lower(name.substr(0, name.starts_with("M\xc3") || name.starts_with("m\xc3") ? 4 : 3));
    auto const at = starts.find(start + ' ');
    return start.size() < 3 || at == starts.npos ? 0 : static_cast<unsigned>(at / 4 % 12) + 1;
}

/// 31. Dezember 2027, December 31, 2027 and 31 Dec 2027 as 31.12.2027; else as it is.
std::string with_month_as_number(std::string_view text)
{
    std::string day;
    std::string month;
    std::string year;
    for (auto rest = text; !rest.empty();)
    {
        auto const end = std::min(rest.find_first_of(" .,-"), rest.size());
        auto const word = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (word.empty())
            continue;
        auto const is_month = read_month(word) != 0;
        auto& part = is_month ? month : !all_digits(word) || word.size() > 2 ? year : day;
        if (!part.empty())
            return std::string{text};
        part = is_month ? std::to_string(read_month(word)) : std::string{word};
    }
    return month.empty() || year.size() != 4 ? std::string{text} : day + '.' + month + '.' + year;
}

}  // namespace

std::vector<std::string> read_days(std::string_view written)
{
    auto const numbered = with_month_as_number(written);
    std::string_view const text{numbered};
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

result<std::string> read_one_day(std::string_view written)
{
    auto days = read_days(written);
    // The catalogue of messages has it behind the "valid_until: " of the callers.
    if (days.size() > 1)
        return refusal{
            refusal_kind::malformed_request,
            fmt::format(
                "{} may be {}; write the one that is meant",
                written::to_quoted(written),
                fmt::join(days, " or ")
            )};
    return days.empty() ? std::string{written} : std::move(days.front());
}

}  // namespace gapless
