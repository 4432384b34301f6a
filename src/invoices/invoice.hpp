#pragma once

#include "ledger/ledger_row.hpp"

#include <cstdint>
#include <vector>

/// The ledger's data for checking a carrier's invoice.
namespace gapless {

/// A loaded block and how many of its numbers were issued.
struct billed_block
{
    std::int64_t first{};          // serial, as the carrier assigned it
    std::int64_t last{};           // serial
    std::int64_t elsewhere{};      // so many, from the first on, were issued by another system
    std::int64_t issued{};         // so many after those
    std::int64_t first_ordinal{};  // 0: none was issued
    std::int32_t cycle{1};
};

/// A run of ordinals, both ends included.
struct ordinal_range
{
    std::int64_t first{};
    std::int64_t last{};
};

/// A voided number, and one issued later for the same reference.
struct replaced_number
{
    std::int64_t ordinal{};
    std::int64_t replacement{};  // ordinal
};

/// The ledger's data of a series, at one snapshot.
struct billed_series
{
    std::vector<billed_block> blocks;
    std::vector<state_range> states;    // by ordinal
    std::vector<ordinal_range> issued;  // by ordinal: in the requested period
};

}  // namespace gapless
