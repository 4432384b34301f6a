#include "numbers/number_cases.hpp"

#include "access/quota_store.hpp"
#include "numbers/issuance_store.hpp"
#include "numbers/number_range.hpp"
#include "numbers/number_store.hpp"
#include "numbers/operations.hpp"
#include "record/refused.hpp"

namespace gapless::cases {

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
    auto const settled = gapless::settle_hold(transaction, *place, ranges, what, actor);
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

}  // namespace gapless::cases
