#include "support/history_rules.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace gapless::test {

namespace {

/// One series of a dump.
struct series_part
{
    std::vector<ledger_range const*> ranges;  // by ordinal
    std::map<std::int64_t, block_state const*> blocks;
    std::map<std::int64_t, std::int64_t> used;  // by block: how many of its numbers are out
};

/// Rule 4: ordinals run 1…N. Rule 8: epochs never go back.
void check_ordinals(series_part const& part, series_state const& state, findings& found)
{
    auto const& series = state.series;
    std::int64_t due = 1;
    std::int64_t epoch = 0;
    for (auto const* range : part.ranges)
    {
        if (range->turn != 0)
            found.add(
                4, series + ": numbers left again at ordinal " + std::to_string(range->ordinal)
            );
        if (range->ordinal != due)
            found.add(
                4,
                series + ": ordinal " + std::to_string(due) + " is due, the ledger goes on at " +
                    std::to_string(range->ordinal)
            );
        if (range->epoch < epoch)
            found.add(
                8, series + ": the epoch goes back at ordinal " + std::to_string(range->ordinal)
            );
        epoch = range->epoch;
        due = range->ordinal + range->count;
    }
    if (state.next_ordinal != due)
        found.add(
            4,
            series + ": the counter goes on at ordinal " + std::to_string(state.next_ordinal) +
                ", the ledger at " + std::to_string(due)
        );
    if (state.epoch < epoch)
        found.add(8, series + ": the counter is in an epoch before its ledger");
}

/// Rule 4: blocks are used up one after the other, in the order of their positions, each from its
/// first serial.
void check_serials(series_part& part, std::string const& series, findings& found)
{
    block_state const* open = nullptr;
    for (auto const* range : part.ranges)
    {
        auto const at = " at ordinal " + std::to_string(range->ordinal);
        auto const known = part.blocks.find(range->block);
        if (known == part.blocks.end())
        {
            found.add(4, series + ": a block that does not exist" + at);
            return;
        }
        auto const* block = known->second;
        auto& used = part.used[range->block];
        if (open != nullptr && open != block)
        {
            if (open->state != "closed" && open->first + part.used[open->block] != open->last + 1)
                found.add(4, series + ": a block starts before the one before is full" + at);
            if (open->position > block->position)
                found.add(4, series + ": a block starts out of turn" + at);
        }
        if (range->serial != block->first + used)
            found.add(
                4, series + ": serial " + std::to_string(block->first + used) + " is due" + at
            );
        if (range->last_serial() > block->last)
            found.add(4, series + ": a range goes beyond its block" + at);
        used += range->count;
        open = block;
    }
}

/// Rule 4: the state of a block is what its ledger says.
void check_states(series_part const& part, series_state const& state, findings& found)
{
    for (auto const& [id, block] : part.blocks)
    {
        auto const used = part.used.contains(id) ? part.used.at(id) : 0;
        auto const full = block->first + used == block->last + 1;
        auto const right = block->state == "closed" || (block->state == "queued" && used == 0) ||
                           (block->state == "exhausted" && full) ||
                           (block->state == "open" && state.next_serial == block->first + used);
        if (!right)
            found.add(
                4,
                state.series + ": block " + std::to_string(id) + " counts as " + block->state +
                    " with " + std::to_string(used) + " numbers out"
            );
    }
}

}  // namespace

void check_ledger(ledger_dump const& ledger, findings& found)
{
    std::map<std::string, series_part> parts;
    for (auto const& range : ledger.ranges)
        parts[range.series].ranges.push_back(&range);
    for (auto const& block : ledger.blocks)
        parts[block.series].blocks[block.block] = &block;
    for (auto const& state : ledger.series)
    {
        auto& part = parts[state.series];
        std::ranges::stable_sort(part.ranges, {}, &ledger_range::ordinal);
        check_ordinals(part, state, found);
        check_serials(part, state.series, found);
        check_states(part, state, found);
    }
}

}  // namespace gapless::test
