#include "store/hold_store.hpp"

#include "store/columns.hpp"
#include "store/query.hpp"

namespace gapless {

std::vector<open_hold> read_open_holds(pqxx::transaction_base& transaction, hold_page const& page)
{
    auto const& after = page.after;
    auto const rows = query_rows(
        transaction,
        "select series_id, turn, ordinal, series, held, reference, reference_erased,"
        " (extract(epoch from expires_at) * 1000000)::bigint as expires_at "
        "from gapless.open_holds(p_series => $1, p_after_at => $2::timestamptz, "
        "p_after_series_id => $3, p_after_turn => $4, p_after_ordinal => $5, p_limit => $6)",
        page.series,
        to_parameter(after ? std::optional{after->expires_at} : std::nullopt),
        after ? std::optional{after->issuance.series_id} : std::nullopt,
        after ? std::optional{after->issuance.turn} : std::nullopt,
        after ? std::optional{after->issuance.ordinal} : std::nullopt,
        page.limit
    );
    std::vector<open_hold> holds;
    for (auto const& row : rows)
        holds.push_back(
            {.issuance =
                 {.series_id = row["series_id"].as<std::int32_t>(),
                  .turn = row["turn"].as<std::int32_t>(),
                  .ordinal = row["ordinal"].as<std::int64_t>()},
             .series = row["series"].as<std::string>(),
             .held = row["held"].as<std::int64_t>(),
             .reference = optional_text(row["reference"]),
             .reference_erased = row["reference_erased"].as<bool>(),
             .expires_at = to_time(row["expires_at"])}
        );
    return holds;
}

}  // namespace gapless
