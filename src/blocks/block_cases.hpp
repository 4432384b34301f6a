#pragma once

#include "base/refusal.hpp"
#include "blocks/block.hpp"
#include "blocks/block_draft.hpp"
#include "blocks/proposal.hpp"
#include "postgres/transaction.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Loading blocks; see formats/find_series.hpp.
namespace gapless::cases {

/// gapless.lock_space has the reason.
inline constexpr transaction_policy policy_of_loads{.sees = isolation::read_committed};

/// Blocks that were loaded, or only proposed if two people load.
struct loaded_blocks
{
    std::vector<blocks::block> blocks;  // as queued; for a proposal in a dry run: without ids
    std::vector<load_warning> warnings;
    std::optional<proposals::proposal> proposal{};  // then there are no blocks yet
    bool two_people{};                              // a dry run: they would be proposed
};

/// Loads blocks into a series in their order, all or none. Refuses with unknown_series,
/// block_overlap (`faults` has the lines of a file), out_of_range, and with confirmation_needed for
/// warnings that were not confirmed.
struct load_blocks
{
    using answer = loaded_blocks;
    std::string series;
    std::vector<block_draft> drafts;       // one or more
    std::vector<std::size_t> lines{};      // of a file, one per draft; empty: one block was typed
    std::size_t column{};                  // of the file, where first serials are
    std::size_t validity_column{};         // the same for valid_until
    std::vector<load_warning> warnings{};  // of the file
    std::vector<std::string> confirmed{};  // codes of warnings
    bool dry_run{};  // checks everything; the caller rolls back, so no block gets an id
    // Not the only load of a transaction, whose caller ends as a long load does: with
    // others_loaded() and look_again().
    bool one_of_many{};
    std::function<void(std::size_t)> tick{};  // gets the number of blocks done so far; may be empty

    transaction_policy policy() const noexcept { return policy_of_loads; }
    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;

    /// For the end of a long load, before COMMIT: locks other loads out until then. True if there
    /// are other blocks than `expected` by now.
    bool others_loaded(
        pqxx::transaction_base& transaction, std::string const& actor, std::int64_t expected
    ) const;

    /// Then: warnings about what they loaded are in `known` or confirmed, else a refusal.
    std::optional<refusal> look_again(
        pqxx::transaction_base& transaction, std::vector<load_warning> known
    ) const;
};

/// Reads a proposal. Refuses with not_found, also one of series other than `series`.
struct read_proposal
{
    using answer = proposals::proposal;
    std::int32_t id{};
    std::optional<std::vector<std::string>> series{};  // none: every series

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Loads what somebody else proposed, with the warnings of this moment. Refuses with not_found,
/// forbidden (one's own), state_conflict (settled or expired), block_overlap, out_of_range.
struct confirm_proposal
{
    using answer = loaded_blocks;
    std::int32_t id{};

    transaction_policy policy() const noexcept { return policy_of_loads; }
    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

}  // namespace gapless::cases
