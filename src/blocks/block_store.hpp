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

/// Which of these blocks, from 0, would be over before they begin; none while the database is
/// fenced, when what left before a restore is loaded.
std::vector<std::size_t> find_late_blocks(
    pqxx::transaction_base& transaction, std::span<block_draft const> drafts
);

/// What a person should look at before blocks are loaded into a series. Refuses with
/// unknown_series.
std::vector<load_warning> read_block_warnings(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::span<block_draft const> drafts
);

/// A block that was not loaded, because of the loaded ones it hits.
struct block_hit
{
    std::size_t place{};  // in the batch, from 0
    std::string blocks;   // which it hits, in words
};

/// Where a block would stand, and until when it would be valid; none: it has no end.
struct block_place
{
    std::int32_t position{};
    std::int32_t cycle{};
    std::optional<database_time> valid_until;
};

/// What a load of these blocks of one series would do now, without an id drawn or a lock taken;
/// their counts are not looked at. `hits` (up to 20): it would be refused; else `places`, one a
/// draft. Refuses like a load, but not because two people load.
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

/// Loads a block and returns its id. Refuses with unknown_series, block_overlap,
/// out_of_range, and with forbidden where two people load.
std::int32_t load_block(
    pqxx::transaction_base& transaction, block_draft const& draft, std::string const& actor
);

/// Loads blocks of one series in their order, in one round trip, all or none; their counts are not
/// looked at. Returns the hits (up to 20): when there is one, nothing was loaded. Refuses with
/// unknown_series, block_overlap (among the new ones), out_of_range, and with forbidden where two
/// people load.
std::vector<block_hit> load_blocks(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::span<block_draft const> drafts,
    std::string const& actor
);

}  // namespace gapless
