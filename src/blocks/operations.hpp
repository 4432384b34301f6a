#pragma once

#include "base/refusal.hpp"
#include "blocks/block.hpp"
#include "record/operation.hpp"

#include <optional>
#include <string>
#include <vector>

/// Loaded blocks. Loading is hand-written: blocks/block_cases.hpp. Each function blocks for a round
/// trip or more inside the caller's transaction; SQL's refusals leave through run_serializable and
/// its like (postgres/transaction.hpp).
namespace gapless::blocks {

/// Queries and changes of blocks.
extern feature const administration;

/// Blocks ordered by series and queue: of all series, of the named one, or the one with that id.
std::vector<block> read_all(
    pqxx::transaction_base& database,
    std::optional<std::string> const& series = {},
    std::optional<std::int32_t> id = {}
);

/// The last `count` blocks in the queue of a series, which must have as many: those just loaded, as
/// long as its number space is locked.
std::vector<block> read_last(
    pqxx::transaction_base& database, std::string const& series, std::size_t count
);

/// The refusal for a block that the series does not have, or that does not exist at all.
refusal missing_block(std::optional<std::string> const& series, std::int32_t id);

}  // namespace gapless::blocks
