#include "ledger/day.hpp"

#include "base/written_value.hpp"
#include "ledger/manifest_cases.hpp"
#include "postgres/sql.hpp"
#include "record/operates.hpp"

namespace gapless::days {

void check(day_name const& wanted)
{
    if (!cases::is_day(wanted.date))
        throw wrong_field{
            refusal_kind::malformed_request,
            written::looks_like_day(wanted.date)
                ? " names a day that does not exist; a date is year, month, day (2026-11-20)"
                : " has to be a date like 2026-11-20",
            name_of(&day_name::date)};
}

namespace {

day_counts count(pqxx::transaction_base& database, day_name const& wanted, series_entry const& of)
{
    return select<day_counts>(
               database, "select * from gapless.day_report($1, $2::date)", of.series_id, wanted.date
    )
        .front();
}

constexpr operation table[]{
    operates<&count>({
        .method = http_method::get,
        .path = "/v1/series/{series}/days/{date}",
        .needs = scope::read,
        .summary = "What became of the numbers of a day",
        .description = "Look before the day is closed: closing cannot be undone.",
        .id = "countDay",
    }),
};

}  // namespace

constinit feature const administration{"day", "The days of a series", table, "series"};

}  // namespace gapless::days
