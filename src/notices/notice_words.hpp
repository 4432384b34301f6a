#pragma once

#include <array>
#include <chrono>
#include <string>
#include <string_view>

/// Days in the notation of a language.
namespace gapless::words {

/// The notation of a language.
struct language
{
    char thousands;           // between groups of three digits
    std::string_view of_day;  // follows the number of a day
    std::array<std::string_view, 12> months;
};

inline constexpr language english{
    ',',
    "",
    {"January",
     "February",
     "March",
     "April",
     "May",
     "June",
     "July",
     "August",
     "September",
     "October",
     "November",
     "December"}};

inline constexpr language german{
    '.',
    ".",
    {"Januar",
     "Februar",
     "März",
     "April",
     "Mai",
     "Juni",
     "Juli",
     "August",
     "September",
     "Oktober",
     "November",
     "Dezember"}};

/// "3 December" or "3. Dezember"; with its year unless that is `this_year`.
std::string to_day(std::chrono::sys_days day, std::chrono::year this_year, language const& by);

/// "3–5 December", "30 November – 2 December", "31 December 2026 – 3 January 2027"; a single day if
/// both are equal.
std::string to_days(
    std::chrono::sys_days from,
    std::chrono::sys_days to,
    std::chrono::year this_year,
    language const& by
);

}  // namespace gapless::words
