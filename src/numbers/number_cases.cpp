#include "numbers/number_cases.hpp"

#include "access/quota_store.hpp"
#include "numbers/issuance_store.hpp"
#include "numbers/number_range.hpp"
#include "numbers/operations.hpp"
#include "postgres/columns.hpp"
#include "postgres/query.hpp"
#include "record/refused.hpp"

namespace gapless::cases {

namespace {

/// Returns how many numbers were settled now. Refuses as the SQL function does.
std::int64_t settle_ranges(
    pqxx::transaction_base& transaction,
    issuance_id const& id,
    settle_hold const& wanted,
    std::string const& actor
)
{
    auto const confirms = wanted.what == settlement::confirm;
    if (wanted.ranges.empty())
        return query_value<std::int64_t>(
            transaction,
            "select gapless.hold_settle(p_series_id => $1, p_turn => $2, p_ordinal => $3, "
            "p_numbers => null, p_confirm => $4, p_actor => $5)",
            id.series_id,
            id.turn,
            id.ordinal,
            confirms,
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
        to_array(wanted.ranges, &serial_range::first),
        to_array(wanted.ranges, &serial_range::last),
        confirms,
        actor
    );
}

}  // namespace

result<issuance_record> read_issuance::run(pqxx::transaction_base& transaction) const
{
    return gapless::read_issuance(transaction, id);
}

result<bool> find_spent_key::run(pqxx::transaction_base& transaction) const
{
    return key_is_spent(transaction, owner_id, key);
}

result<numbers::number_record> look_up_number::run(pqxx::transaction_base& transaction) const
{
    auto found = result_of([&] {
        return numbers::read(transaction, {series->name, number}, *series);
    });
    if (found.has_value() && found->completed)
        return numbers::refuse_incomplete(found->completed.value);
    return found;
}

result<settled_hold> settle_hold::run(pqxx::transaction_base& transaction, std::string const& actor)
    const
{
    auto const place = find_place(transaction, id);
    if (place.has_error())
        return place.error();
    auto const settled = settle_ranges(transaction, *place, *this, actor);
    auto now = gapless::read_issuance(transaction, id);
    if (now.has_error())
        return now.error();
    return settled_hold{std::move(*now), settled};
}

result<settled_hold> settle_hold::repeat(pqxx::transaction_base& transaction) const
{
    auto now = gapless::read_issuance(transaction, id);
    if (now.has_error())
        return now.error();
    if (what == settlement::confirm && now->value.ranges.empty())
        return refusal{refusal_kind::issuance_settled};
    return settled_hold{std::move(*now), 0};
}

swept sweep_expired(pqxx::transaction_base& transaction, std::int32_t holds_max)
{
    auto const row =
        query_row(transaction, "select holds, blocks from gapless.sweep($1)", holds_max);
    return {row[0].as<std::int32_t>(), row[1].as<std::int32_t>()};
}

}  // namespace gapless::cases
