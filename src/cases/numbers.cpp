#include "cases/numbers.hpp"

#include "base/contract.hpp"
#include "base/json_text.hpp"
#include "cases/list_numbers.hpp"
#include "store/issuance_store.hpp"
#include "store/ledger_store.hpp"
#include "store/number_store.hpp"

#include <string_view>

namespace gapless::cases {

namespace {

/// Stands for the reference in a kept answer. No reference is this text: they hold no control
/// characters.
constexpr std::string_view no_reference{"\x01"};
constexpr std::string_view no_reference_json{R"("\u0001")"};

}  // namespace

result<issuance_record> read_issuance::run(pqxx::transaction_base& transaction) const
{
    return gapless::read_issuance(transaction, id);
}

result<labelled_issuance> read_labelled::run(pqxx::transaction_base& transaction) const
{
    auto found = gapless::read_issuance(transaction, id);
    if (found.has_error())
        return found.error();
    auto voided = read_voided(transaction, found->value);
    return labelled_issuance{std::move(*found), std::move(voided)};
}

result<found_number> look_up_number::run(pqxx::transaction_base& transaction) const
{
    return find_number(transaction, series, number);
}

result<std::vector<open_hold>> list_holds::run(pqxx::transaction_base& transaction) const
{
    return read_open_holds(transaction, page);
}

result<std::vector<ledger_row>> read_ledger::run(pqxx::transaction_base& transaction) const
{
    if (auto const checked = check_block(transaction, *series, page); checked.has_error())
        return checked.error();
    return gapless::read_ledger(transaction, series->series_id, page);
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

void settle_hold::leave_out_personal(settled_hold& settled) const
{
    auto& reference = settled.issuance.value.reference;
    if (reference)
        reference = no_reference;
}

void settle_hold::put_in_personal(pqxx::transaction_base& transaction, kept_answer& kept) const
{
    auto const place = kept.body.find(no_reference_json);
    if (place == std::string::npos)
        return;
    auto const now = gapless::read_issuance(transaction, id);
    ensure(now.has_value(), "an issuance that was settled stays");
    auto const& present = now->value.reference;
    std::string reference{R"(null,"reference_erased":true)"};
    if (present)
    {
        reference.clear();
        append_json_string(reference, *present);
    }
    kept.body.replace(place, no_reference_json.size(), reference);
}

result<std::int64_t> note_event::run(pqxx::transaction_base& transaction, std::string const& actor)
    const
{
    return gapless::note_event(transaction, series_id, event, actor);
}

}  // namespace gapless::cases
