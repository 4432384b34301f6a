#include "cli/argument.hpp"

#include "base/moment.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gapless::cli {

result<database_time> read_expiry(std::string_view text, database_time now)
{
    using namespace std::chrono;
    std::optional<database_time> moment;
    constexpr std::array<std::pair<std::string_view, seconds>, 5> units{
        {{"d", hours{24}},
         {"h", hours{1}},
         {"min", minutes{1}},
         {"m", minutes{1}},
         {"s", seconds{1}}}};
    auto const unit = std::ranges::find_if(units, [&](auto const& known) {
        return text.size() > known.first.size() && text.ends_with(known.first);
    });
    if (unit != units.end() && text.front() >= '0' && text.front() <= '9')
    {
        text.remove_suffix(unit->first.size());
        auto const amount = read_integer(text, 1, seconds{hours{876'000}} / unit->second);
        if (amount.has_error())
            return amount.error();
        moment = now + *amount * unit->second;
    }
    else
        moment = read_valid_until(text);
    if (!moment)
        return refusal{
            refusal_kind::malformed_request,
            fmt::format(
                "{} is neither a span like 30d, 12h, 5min or 30s, nor a date like 2099-12-31, nor "
                "a moment "
                "like 2099-12-31T12:00:00Z",
                to_quoted(text)
            )};
    if (auto const checked = written::check_moment(*moment); checked.has_error())
        return checked.error();
    if (*moment <= now)
        return refusal{
            refusal_kind::out_of_range, fmt::format("{} is over already", to_quoted(text))};
    return *moment;
}

}  // namespace gapless::cli
