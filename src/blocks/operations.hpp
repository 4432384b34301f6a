#pragma once

#include "base/refusal.hpp"
#include "blocks/block.hpp"
#include "formats/series_entry.hpp"
#include "record/operation.hpp"

#include <optional>
#include <string>
#include <vector>

/// Blocks that are loaded. Loading them is hand-written: blocks/block_cases.hpp. Each function is a
/// round trip or more inside the caller's transaction, and blocks; SQL's refusals leave through
/// run_serializable and its like (postgres/transaction.hpp). `of` is the series that is named.
namespace gapless::blocks {

/// What is asked over HTTP. The command line calls the functions below.
extern feature const administration;

/// Blocks in the order of series and queue; of all series, or of the named one, or the one with
/// that id.
std::vector<block> read_all(
    pqxx::transaction_base& database,
    std::optional<std::string> const& series = {},
    std::optional<std::int32_t> id = {}
);

/// The `count` blocks at the end of the queue of a series that has so many.
std::vector<block> read_last(
    pqxx::transaction_base& database, std::string const& series, std::size_t count
);

/// The series has no such block.
refusal missing_block(std::string const& series, std::int32_t id);

/// Throws refused with not_found, here and below.
block read(pqxx::transaction_base& database, block_id const& which, series_entry const& of);

/// Moves a queued block before another one of its series, or to the end. Refuses with
/// state_conflict.
block move(
    pqxx::transaction_base& database,
    block_move const& wanted,
    caller const& by,
    series_entry const& of
);

/// Ends a queued or open block: its remaining numbers are never issued. Refuses with
/// state_conflict.
block close(
    pqxx::transaction_base& database,
    block_end const& wanted,
    caller const& by,
    series_entry const& of
);

/// Takes back a block of which no number ever left; repeatable. Refuses with state_conflict.
block withdraw(
    pqxx::transaction_base& database,
    block_end const& wanted,
    caller const& by,
    series_entry const& of
);

/// Ends a block that the carrier rejects, and voids what of it is held or came back; repeatable.
/// Refuses with state_conflict.
block recall(
    pqxx::transaction_base& database,
    block_end const& wanted,
    caller const& by,
    series_entry const& of
);

}  // namespace gapless::blocks
