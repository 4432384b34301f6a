#pragma once

#include "domain/records.hpp"

#include <pqxx/pqxx>

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Series and their blocks. Every function runs inside the caller's transaction and blocks for one
/// round trip or two. SQL's refusals leave through run_serializable and run_read (transaction.hpp).
namespace gapless {

/// Every series by name, or just the named one (no row: there is none).
std::vector<series_record> read_series(
    pqxx::transaction_base& transaction, std::optional<std::string> const& name
);

/// The named series. Refuses with unknown_series.
result<series_record> read_one_series(pqxx::transaction_base& transaction, std::string const& name);

/// Creates a series and returns it. Refuses with state_conflict (the name is taken), out_of_range
/// (also a format that does not exist, and parameters that do not fit it).
result<series_record> create_series(
    pqxx::transaction_base& transaction, series_draft const& draft, std::string const& actor
);

/// Changes a series and returns it. Refuses with unknown_series, precondition_failed, out_of_range.
series_record change_series(
    pqxx::transaction_base& transaction,
    std::string const& name,
    series_change const& change,
    std::string const& actor
);

/// Blocks in the order of series and queue; of all series, or of the named one, or the one with
/// that id.
std::vector<block_record> read_blocks(
    pqxx::transaction_base& transaction,
    std::optional<std::string> const& series,
    std::optional<std::int32_t> block_id = std::nullopt
);

/// Loads a block and returns it as queued. Refuses with unknown_series, block_overlap,
/// out_of_range.
block_record load_block(
    pqxx::transaction_base& transaction, block_draft const& draft, std::string const& actor
);

/// A block that was not loaded, because of the loaded ones it hits.
struct block_hit
{
    std::size_t place{};  // in the batch, from 0
    std::string blocks;   // which it hits, in words
};

/// Loads blocks of one series in their order, in one round trip, all or none; their counts are not
/// looked at. Returns the hits (up to 20): when there is one, nothing was loaded. Refuses with
/// unknown_series, block_overlap (among the new ones), out_of_range.
std::vector<block_hit> load_blocks(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::span<block_draft const> drafts,
    std::string const& actor
);

/// Moves a queued block before another one, or to the end. Refuses with not_found, state_conflict.
void move_block(
    pqxx::transaction_base& transaction,
    std::int32_t block_id,
    std::optional<std::int32_t> before,
    std::string const& actor
);

/// Closes a block; returns how many numbers will never leave. Refuses with not_found,
/// state_conflict, out_of_range.
std::int64_t close_block(
    pqxx::transaction_base& transaction,
    std::int32_t block_id,
    std::string const& reason,
    std::string const& actor
);

/// Reads a date (valid through its end, UTC) or an RFC 3339 moment; none for any other text.
std::optional<database_time> read_valid_until(std::string_view text) noexcept;

/// The text of a moment: the bare date when it is the last microsecond of a day, RFC 3339 with
/// microseconds else.
std::string to_valid_until(database_time moment);

}  // namespace gapless
