#include "ledger/manifest_cases.hpp"

#include "base/moment.hpp"
#include "postgres/columns.hpp"
#include "postgres/environment.hpp"
#include "postgres/query.hpp"

#include <fmt/format.h>

namespace gapless::cases {

namespace {

/// How many numbers are on the manifest of a day; nullopt: there is no such manifest.
std::optional<std::int64_t> count_manifest(
    pqxx::transaction_base& transaction, days::day_name const& day
)
{
    return optional_number(query_row(
        transaction, "select gapless.manifest_count($1, $2::date) as count", day.series, day.date
    )["count"]);
}

}  // namespace

bool is_day(std::string_view text) noexcept
{
    // PostgreSQL has no year 0.
    return !text.starts_with("0000") && read_date(text).has_value();
}

result<closed_day> close_day::run(pqxx::transaction_base& transaction, std::string const& actor)
    const
{
    if (auto const today = read_today(transaction); day.date > today)
        return refusal{
            refusal_kind::out_of_range,
            fmt::format(
                "{} is in the future: it is {} in the time zone {}",
                day.date,
                today,
                read_time_zone(transaction)
            )};
    auto const before = count_manifest(transaction, day);
    auto const count = query_value<std::int64_t>(
        transaction, "select gapless.manifest_close($1, $2::date, $3)", day.series, day.date, actor
    );
    return closed_day{count, !before};
}

result<manifest_record> read_manifest::run(pqxx::transaction_base& transaction) const
{
    auto const count = count_manifest(transaction, day);
    if (!count)
        return refusal{
            refusal_kind::not_found,
            fmt::format("the day {} of series '{}' is not closed", day.date, day.series)};
    manifest_record found{.count = *count, .runs = {}};
    for (auto const& row : query_rows(
             transaction,
             "select serial, count from gapless.manifest_ranges($1, $2::date)",
             day.series,
             day.date
         ))
    {
        auto const first = row[0].as<std::int64_t>();
        found.runs.push_back({first, first + row[1].as<std::int64_t>() - 1});
    }
    return found;
}

}  // namespace gapless::cases
