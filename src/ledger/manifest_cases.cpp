#include "ledger/manifest_cases.hpp"

#include "base/moment.hpp"
#include "postgres/environment.hpp"

#include <fmt/format.h>

namespace gapless::cases {

bool is_day(std::string_view text) noexcept
{
    // PostgreSQL has no year 0.
    return !text.starts_with("0000") && read_date(text).has_value();
}

result<closed_day> close_day::run(pqxx::transaction_base& transaction, std::string const& actor)
    const
{
    if (auto const today = read_today(transaction); day.day > today)
        return refusal{
            refusal_kind::out_of_range,
            fmt::format(
                "{} is in the future: it is {} in the time zone {}",
                day.day,
                today,
                read_time_zone(transaction)
            )};
    auto const before = count_manifest(transaction, day);
    auto const count = close_manifest(transaction, day, actor);
    return closed_day{count, !before};
}

result<manifest_record> read_manifest::run(pqxx::transaction_base& transaction) const
{
    auto const count = count_manifest(transaction, day);
    if (!count)
        return refusal{
            refusal_kind::not_found,
            fmt::format("the day {} of series '{}' is not closed", day.day, day.series)};
    return manifest_record{*count, gapless::read_manifest(transaction, day)};
}

}  // namespace gapless::cases
