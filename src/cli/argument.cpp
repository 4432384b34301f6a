#include "cli/argument.hpp"

#include "base/moment.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gapless::cli {

result<std::string> read_expiry(std::string_view text, database_time now)
{
    using namespace std::chrono;
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
        auto const span = text.substr(0, text.size() - unit->first.size());
        auto const amount = read_integer(span, 1, seconds{hours{876'000}} / unit->second);
        if (amount.has_error())
            return amount.error();
        return to_rfc3339(now + *amount * unit->second);
    }
    auto moment = read_moment(text);
    if (moment.has_error() && moment.error().kind == refusal_kind::malformed_request)
        return refusal{
            refusal_kind::malformed_request,
            fmt::format(
                "{} is neither a span like 30d, 12h, 5min or 30s, nor a date like 2099-12-31, nor "
                "a moment like 2099-12-31T12:00:00",
                to_quoted(text)
            )};
    return moment;
}

std::string to_shell_word(std::string_view text)
{
    constexpr std::string_view plain{
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/@+,=%"};
    if (!text.empty() && text.find_first_not_of(plain) == text.npos)
        return std::string{text};
    std::string word{"'"};
    for (auto const c : text)
        word += c == '\'' ? std::string_view{R"('\'')"} : std::string_view{&c, 1};
    return word + "'";
}

}  // namespace gapless::cli
