#include "app/cli/reconciliation.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace gapless::cli {

std::string_view name_of(bill_fault fault) noexcept
{
    constexpr std::array<std::string_view, bill_faults> names{
        "not-of-series",
        "outside-blocks",
        "never-issued",
        "billed-voided",
        "billed-twice",
        "never-billed"};
    return names[static_cast<std::size_t>(fault) - 1];
}

reconciliation::reconciliation(
    bound_format const& format,
    std::vector<billed_block> blocks,
    std::vector<state_range> states,
    taker take
)
    : format_{format},
      by_ordinal_{std::move(blocks)},
      states_{std::move(states)},
      take_{std::move(take)}
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

void reconciliation::take_line(std::size_t line, std::string_view number)
{
    ++lines_;
    auto const read = format_.read_number(number);
    if (read.has_error())
        return take_({bill_fault::not_of_series, std::string{number}, line, read.error().reason});
    auto const found = find(read->serial);
    if (found.block == nullptr)
        return take_({bill_fault::outside_blocks, read->number, line, "in no loaded block"});
    if (found.ordinal == 0)
        return take_({bill_fault::never_issued, read->number, line, "it never left"});
    auto const state = state_of(found.ordinal);
    if (state == "free" || state == "held")
        take_({bill_fault::never_issued, read->number, line, "it is " + std::string{state}});
    else if (state == "voided")
        take_({bill_fault::billed_voided, read->number, line, "it was voided"});
    billed_.emplace_back(found.ordinal, line);
}

void reconciliation::finish()
{
    std::ranges::sort(billed_);
    find_doubles();
    for (auto const& run : states_)
        if (run.state == "printed" || run.state == "manifested")
            find_unbilled(run);
}

reconciliation::found_serial reconciliation::find(std::int64_t serial) const
{
    found_serial found;
    for (auto const& blocks : cycles_)
    {
        auto const after = std::ranges::upper_bound(blocks, serial, {}, &billed_block::first);
        if (after == blocks.begin() || std::prev(after)->last < serial)
            continue;
        auto const& block = *std::prev(after);
        if (serial - block.first < block.issued)
            return {&block, block.first_ordinal + (serial - block.first)};
        found.block = &block;
    }
    return found;
}

std::string_view reconciliation::state_of(std::int64_t ordinal) const
{
    auto const after = std::ranges::upper_bound(states_, ordinal, {}, &state_range::first_ordinal);
    if (after == states_.begin() || std::prev(after)->last_ordinal < ordinal)
        return "issued";
    return std::prev(after)->state;
}

std::string reconciliation::number_of(std::int64_t ordinal) const
{
    auto const after =
        std::ranges::upper_bound(by_ordinal_, ordinal, {}, &billed_block::first_ordinal);
    auto const& block = *std::prev(after);
    return format_.to_number(block.first + (ordinal - block.first_ordinal));
}

void reconciliation::find_doubles()
{
    for (std::size_t n = 1; n < billed_.size(); ++n)
        if (billed_[n].first == billed_[n - 1].first)
            take_(
                {bill_fault::billed_twice,
                 number_of(billed_[n].first),
                 billed_[n].second,
                 "also in line " + std::to_string(billed_[n - 1].second)}
            );
}

/// Runs come by ordinal, so the billed numbers are walked once for all of them.
void reconciliation::find_unbilled(state_range const& run)
{
    for (auto ordinal = run.first_ordinal; ordinal <= run.last_ordinal; ++ordinal)
    {
        while (next_billed_ < billed_.size() && billed_[next_billed_].first < ordinal)
            ++next_billed_;
        if (next_billed_ == billed_.size() || billed_[next_billed_].first != ordinal)
            take_({bill_fault::never_billed, number_of(ordinal), 0, "it is " + run.state});
    }
}

}  // namespace gapless::cli
