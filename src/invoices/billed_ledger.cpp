#include "invoices/billed_ledger.hpp"

#include "formats/check_algorithm.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace gapless {

namespace {

/// The range that contains `ordinal`, or null; ranges are ordered by ordinal.
template <class Range>
Range const* find_range(
    std::vector<Range> const& ranges,
    std::int64_t ordinal,
    std::int64_t Range::*first,
    std::int64_t Range::*last
)
{
    auto const after = std::ranges::upper_bound(ranges, ordinal, {}, first);
    if (after == ranges.begin() || (*std::prev(after)).*last < ordinal)
        return nullptr;
    return &*std::prev(after);
}

}  // namespace

billed_ledger::billed_ledger(bound_format const& format, billed_series said)
    : format_{format},
      by_ordinal_{said.blocks},
      said_{std::move(said)}
{
    std::map<std::int32_t, std::vector<billed_block>, std::greater<>> cycles;
    for (auto const& block : by_ordinal_)
        cycles[block.cycle].push_back(block);
    for (auto& [cycle, members] : cycles)
    {
        std::ranges::sort(members, {}, &billed_block::first);
        cycles_.push_back(std::move(members));
    }
    std::erase_if(by_ordinal_, [](auto const& block) { return block.issued == 0; });
    std::ranges::sort(by_ordinal_, {}, &billed_block::first_ordinal);
}

format_result<completed_number> billed_ledger::read(std::string_view field) const
{
    auto [fits, reason] = complete_number(format_, field);
    if (fits.size() > 1)
        std::erase_if(fits, [&](auto const& each) {
            return find(each.read.serial).block == nullptr;
        });
    if (fits.size() == 1)
        return std::move(fits.front());
    return format_refusal{fits.empty() ? reason : to_text(field, fits)};
}

number_fit billed_ledger::judge(std::string_view field) const
{
    auto const number = read(field);
    if (number.has_error())
        return number_fit::none;
    // A number that is not whole may be a customer number.
    auto const whole = number->what == left_out::nothing;
    if (find(number->read.serial).block != nullptr)
        return whole ? number_fit::in_block : number_fit::looks;
    auto const checked = format_.format().algorithm().kernel != check_kernel::none;
    return checked && whole ? number_fit::looks : number_fit::none;
}

billed_ledger::found_serial billed_ledger::find_in(
    std::vector<billed_block> const& cycle, std::int64_t serial
) const
{
    auto const* const block = find_range(cycle, serial, &billed_block::first, &billed_block::last);
    if (block == nullptr)
        return {};
    auto const place = serial - block->first - block->elsewhere;
    found_serial here{.block = block, .elsewhere = place < 0};
    if (place >= 0 && place < block->issued)
        here.ordinal = block->first_ordinal + place;
    return here;
}

billed_ledger::claim billed_ledger::claim_of(found_serial const& found) const
{
    if (found.ordinal == 0)
        return found.elsewhere ? claim::unlikely : claim::none;
    if (!issued_in_period(found.ordinal))
        return claim::unlikely;
    auto const state = state_of(found.ordinal);
    if (state == "free" || state == "held" || state == "voided")
        return claim::unused;
    return state == "issued" ? claim::issued : claim::shipped;
}

billed_ledger::found_serial billed_ledger::find(std::int64_t serial) const
{
    found_serial best;
    auto best_claim = claim::none;
    for (auto const& cycle : cycles_)
    {
        auto const here = find_in(cycle, serial);
        auto const its_claim = claim_of(here);
        if (best.block != nullptr && its_claim <= best_claim)
            continue;
        best = here;
        best_claim = its_claim;
    }
    return best;
}

std::vector<std::int64_t> billed_ledger::uses_of(std::int64_t ordinal) const
{
    std::vector<std::int64_t> uses;
    for (auto const wanted : {claim::shipped, claim::issued})
        for (auto const& cycle : cycles_)
            if (auto const here = find_in(cycle, serial_of(ordinal)); claim_of(here) == wanted)
                uses.push_back(here.ordinal);
    return uses;
}

std::string_view billed_ledger::state_of(std::int64_t ordinal) const
{
    auto const* const run =
        find_range(said_.states, ordinal, &state_range::first_ordinal, &state_range::last_ordinal);
    return run == nullptr ? std::string_view{"issued"} : run->state;
}

std::int64_t billed_ledger::serial_of(std::int64_t ordinal) const
{
    auto const after =
        std::ranges::upper_bound(by_ordinal_, ordinal, {}, &billed_block::first_ordinal);
    auto const& block = *std::prev(after);
    return block.first + block.elsewhere + (ordinal - block.first_ordinal);
}

std::string billed_ledger::number_of(std::int64_t ordinal) const
{
    return format_.to_number(serial_of(ordinal));
}

bool billed_ledger::issued_in_period(std::int64_t ordinal) const
{
    return find_range(said_.issued, ordinal, &ordinal_range::first, &ordinal_range::last) !=
           nullptr;
}

}  // namespace gapless
