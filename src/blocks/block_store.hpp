#pragma once

#include "base/refusal.hpp"
#include "blocks/block_draft.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Loading blocks. Every function runs inside the caller's transaction and blocks for one round
/// trip or two. SQL's refusals leave through run_serializable and run_read (transaction.hpp).
namespace gapless {

/// Which of these blocks (from 0) would end before they begin; none while the database is fenced,
/// because then numbers issued before a restore are loaded.
std::vector<std::size_t> find_late_blocks(
    pqxx::transaction_base& transaction, std::span<block_draft const> drafts
);

/// The warnings to look at before loading blocks into a series. Refuses with unknown_series.
std::vector<load_warning> read_block_warnings(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::span<block_draft const> drafts
);

/// A block that was not loaded, and the loaded blocks that it overlaps.
struct block_hit
{
    std::size_t place{};  // in the batch, from 0
    std::string blocks;   // the overlapped blocks, in words
};

/// The place of a block in the queue, and how long it would be valid; no moment: no limit.
struct block_place
{
    std::int32_t position{};
    std::int32_t cycle{};
    std::optional<database_time> valid_until;
};

/// What loading these blocks of one series would do now, without drawing an id or taking a lock;
/// counts are ignored. `hits` (up to 20): it would be refused; else `places`, one per draft.
/// Refuses like a load, except because two people load.
struct block_preview
{
    std::vector<block_hit> hits;
    std::vector<block_place> places;
};
block_preview preview_blocks(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::span<block_draft const> drafts,
    std::string const& actor
);

/// Locks what a load into the series must not miss, until COMMIT; for the first statement. `alone`:
/// other loads of the database wait. Refuses with overloaded.
void lock_for_load(
    pqxx::transaction_base& transaction,
    std::string const& series,
    bool alone,
    std::string const& actor
);

/// How many blocks there are, of all series.
std::int64_t count_blocks(pqxx::transaction_base& transaction);

/// Loads a block and returns its id. Refuses with unknown_series, block_overlap, out_of_range, and
/// with forbidden if two people load.
std::int32_t load_block(
    pqxx::transaction_base& transaction, block_draft const& draft, std::string const& actor
);

/// Loads blocks of one series in their order, in one round trip, all or none; ignores counts.
/// Returns the hits (up to 20): if there is one, nothing was loaded. Refuses with unknown_series,
/// block_overlap (among the new ones), out_of_range, and with forbidden if two people load.
std::vector<block_hit> load_blocks(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::span<block_draft const> drafts,
    std::string const& actor
);

}  // namespace gapless
