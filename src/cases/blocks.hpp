#pragma once

#include "domain/records.hpp"
#include "domain/refusal.hpp"
#include "store/pqxx_fwd.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Use cases of blocks; see cases/series.hpp.
namespace gapless::cases {

/// The blocks of a series, or of all, in the order they are used. Refuses with unknown_series.
struct list_blocks
{
    using answer = std::vector<block_record>;
    std::optional<std::string> series{};

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// A block by its id, and by its series if that was said.
struct block_name
{
    std::optional<std::string> series{};
    std::int32_t id{};
};

/// Refuses with unknown_series, not_found.
struct read_block
{
    using answer = block_record;
    block_name block;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// What a person should look at before blocks are loaded into a series. Refuses with
/// unknown_series.
struct list_warnings
{
    using answer = std::vector<load_warning>;
    std::string series;
    std::vector<block_draft> drafts;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Blocks that were loaded, or proposed where two people load.
struct loaded_blocks
{
    std::vector<block_record> blocks;  // as queued; of a proposal in a dry run: without ids
    std::vector<load_warning> warnings;
    std::optional<proposal_record> proposal{};  // then there are no blocks yet
};

/// Loads blocks into a series in their order, all or none. Refuses with unknown_series,
/// block_overlap (`faults` has the lines of a file), out_of_range, and with confirmation_needed for
/// warnings that nobody confirmed.
struct load_blocks
{
    using answer = loaded_blocks;
    std::string series;
    std::vector<block_draft> drafts;       // one or more
    std::vector<std::size_t> lines{};      // of a file, by draft; empty: one block was typed
    std::size_t column{};                  // of the file, where first serials are
    std::size_t validity_column{};         // the same of valid_until
    std::vector<std::string> confirmed{};  // codes of warnings
    bool dry_run{};  // everything is checked; the caller takes it back, so no block has an id
    std::function<void(std::size_t)> tick{};  // how many blocks of a file are done; may be empty

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

/// Moves a queued block before another one of its series, or to the end. Refuses with
/// unknown_series, not_found, state_conflict.
struct move_block
{
    using answer = block_record;
    block_name block;
    std::optional<std::int32_t> before{};  // none: to the end

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

/// A block that was closed.
struct closed_block
{
    block_record block;
    std::int64_t never_issued{};  // numbers
};

/// Ends a queued or open block: its remaining numbers are never issued. Refuses with
/// unknown_series, not_found, state_conflict.
struct close_block
{
    using answer = closed_block;
    block_name block;
    std::string reason;

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

/// Takes back a block of which no number ever left; repeatable. Refuses with unknown_series,
/// not_found, state_conflict, out_of_range.
struct withdraw_block
{
    using answer = block_record;
    block_name block;
    std::string reason;

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

/// Ends a block that the carrier rejects, and voids what of it is held or came back; repeatable.
/// Refuses with unknown_series, not_found, state_conflict, out_of_range.
struct recall_block
{
    using answer = block_record;
    block_name block;
    std::string reason;

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

}  // namespace gapless::cases
