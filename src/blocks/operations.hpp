#pragma once

#include "base/refusal.hpp"
#include "blocks/block.hpp"
#include "record/operation.hpp"

#include <optional>
#include <string>
#include <vector>

/// Blocks that are loaded. Loading them is hand-written: blocks/block_cases.hpp. Each function is a
/// round trip or more inside the caller's transaction, and blocks; SQL's refusals leave through
/// run_serializable and its like (postgres/transaction.hpp).
namespace gapless::blocks {

/// What is asked about blocks, and done to them.
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

/// The series has no such block, or no series has.
refusal missing_block(std::optional<std::string> const& series, std::int32_t id);

}  // namespace gapless::blocks
