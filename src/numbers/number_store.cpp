#include "numbers/number_store.hpp"

#include "postgres/columns.hpp"
#include "postgres/query.hpp"

namespace gapless {

std::int64_t settle_hold(
    pqxx::transaction_base& transaction,
    issuance_id const& id,
    std::vector<serial_range> const& ranges,
    settlement what,
    std::string const& actor
)
{
    if (ranges.empty())
        return query_value<std::int64_t>(
            transaction,
            "select gapless.hold_settle(p_series_id => $1, p_turn => $2, p_ordinal => $3, "
            "p_numbers => null, p_confirm => $4, p_actor => $5)",
            id.series_id,
            id.turn,
            id.ordinal,
            what == settlement::confirm,
            actor
        );
    return query_value<std::int64_t>(
        transaction,
        "select gapless.hold_settle(p_series_id => $1, p_turn => $2, p_ordinal => $3, "
        "p_numbers => gapless.ordinals_of($1, p_firsts => $4, p_lasts => $5), "
        "p_confirm => $6, p_actor => $7)",
        id.series_id,
        id.turn,
        id.ordinal,
        to_array(ranges, &serial_range::first),
        to_array(ranges, &serial_range::last),
        what == settlement::confirm,
        actor
    );
}

swept sweep_expired(pqxx::transaction_base& transaction, std::int32_t holds_max)
{
    auto const row =
        query_row(transaction, "select holds, blocks from gapless.sweep($1)", holds_max);
    return {row[0].as<std::int32_t>(), row[1].as<std::int32_t>()};
}

}  // namespace gapless
