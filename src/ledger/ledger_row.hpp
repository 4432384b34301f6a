#pragma once

#include "formats/serial_range.hpp"
#include "issuing/issuance.hpp"
#include "issuing/issuance_id.hpp"
#include "ledger/period.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Runs of numbers, with their data from the ledger.
namespace gapless {

/// How held numbers are settled.
enum class settlement
{
    confirm = 1,  // issued for good
    release,      // free again, or voided, depending on the series
};

/// One issuance of a run of numbers: a number issued again appears in one row for each issuance.
struct ledger_row
{
    issuance_id issuance;
    issued_range range;
    std::optional<std::string> reference;
    bool reference_erased{};
    database_time issued_at;
    std::int32_t epoch{};
    bool held{};           // was issued as a hold
    std::string fate;      // released or expired, issued again since; empty: the numbers' own state
    std::int64_t place{};  // ordinal after which the next page starts
    std::map<std::string, std::int64_t> states;  // its numbers by state; empty: not requested
};

/// Which rows of the ledger to read; empty members: any.
struct ledger_page
{
    std::int64_t after{};  // rows that start after this ordinal
    std::int32_t limit{100};
    std::optional<std::string> reference;
    period issued;
    std::optional<std::int32_t> block_id{};  // numbers of that block; rows by reference: of any
    std::int32_t part{1};  // of the shares among which ordinals are dealt, 1..shares
    std::int32_t shares{1};
    bool last{};                          // each number once, as last issued
    std::optional<serial_range> serials;  // numbers between these
    std::int64_t reaches{};               // rows that end before this ordinal may be left out
};

/// A run of ordinals in one state.
struct state_range
{
    std::string state;
    std::int64_t first_ordinal{};
    std::int64_t last_ordinal{};
};

/// A piece of a ledger that is read from end to end.
struct ledger_piece
{
    std::vector<ledger_row> rows;      // by ordinal
    std::vector<state_range> states;   // of their numbers, by ordinal; may reach beyond both ends
    std::optional<std::int64_t> next;  // after which ordinal the next page starts; none: last
};

}  // namespace gapless
