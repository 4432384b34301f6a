#include "http/list_page.hpp"

#include "domain/moment.hpp"
#include "domain/written_value.hpp"

#include <limits>

namespace gapless {

namespace {

constexpr std::int64_t items_max = 1'000;
constexpr std::size_t date_characters = 10;

}  // namespace

result<list_page> read_list_page(exchange const& current)
{
    auto const after =
        current.query.read_integer("after", 0, std::numeric_limits<std::int64_t>::max());
    if (after.has_error())
        return after.error();
    auto const limit = read_limit(current);
    if (limit.has_error())
        return limit.error();
    return list_page{.after = after->value_or(0), .limit = *limit};
}

result<std::size_t> read_limit(exchange const& current, std::int64_t usual)
{
    auto const limit = current.query.read_integer("limit", 1, items_max);
    if (limit.has_error())
        return limit.error();
    return static_cast<std::size_t>(limit->value_or(usual));
}

result<std::optional<database_time>> read_moment(
    exchange const& current, std::string_view name, bool first_of_day
)
{
    auto const text = current.query.find(name);
    if (!text)
        return std::optional<database_time>{};
    auto moment = read_valid_until(*text);
    if (!moment)
        return refusal{
            refusal_kind::malformed_request,
            "The query parameter " + std::string{name} +
                " has to be a date (2026-12-31) or an RFC 3339 moment."};
    if (auto const checked = written::check_moment(*moment); checked.has_error())
        return checked.error();
    if (first_of_day && text->size() == date_characters)
        moment = std::chrono::floor<std::chrono::days>(*moment);
    return moment;
}

}  // namespace gapless
