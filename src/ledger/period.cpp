#include "ledger/period.hpp"

#include "base/field_text.hpp"
#include "base/written_value.hpp"

#include <fmt/format.h>

namespace gapless {

namespace {

using namespace std::chrono;

result<std::optional<database_time>> read_end(
    std::string_view name, std::optional<std::string_view> text, bool first_of_day
)
{
    if (!text)
        return std::optional<database_time>{};
    constexpr std::size_t date_characters = 10;
    auto const written = to_moment_text(*text);
    auto const moment = written::read_moment(written);
    if (moment.has_error())
        return refusal{
            refusal_kind::malformed_request, fmt::format("{}: {}", name, moment.error().detail)};
    if (first_of_day && written.size() == date_characters)
        return std::optional<database_time>{floor<days>(*moment)};
    return std::optional{*moment};
}

}  // namespace

result<period> read_period(std::optional<std::string_view> from, std::optional<std::string_view> to)
{
    auto const first = read_end("from", from, true);
    if (first.has_error())
        return first.error();
    auto const last = read_end("to", to, false);
    if (last.has_error())
        return last.error();
    if (*first && *last && **last < **first)
        return refusal{
            refusal_kind::out_of_range, fmt::format("to: {} is before from, {}", *to, *from)};
    return period{*first, *last};
}

}  // namespace gapless
