#pragma once

#include "domain/format/bound_format.hpp"
#include "domain/number_record.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gapless::cli {

/// What is wrong between a carrier's bill and the ledger.
enum class bill_fault : std::uint8_t
{
    not_of_series = 1,  // billed, but no number of this series can look like that
    outside_blocks,     // billed, but in no block that was loaded
    never_issued,       // billed, but still free, held or given back
    billed_voided,      // billed, but voided
    billed_twice,       // billed in more than one line
    never_billed,       // printed or manifested, but in no line
};

inline constexpr std::size_t bill_faults = 6;

/// "not-of-series" …
std::string_view name_of(bill_fault fault) noexcept;

/// One thing that is wrong.
struct bill_finding
{
    bill_fault fault{};
    std::string number;
    std::size_t line{};  // of the bill; 0: in none
    std::string detail;
};

/// A loaded block and how far it left.
struct billed_block
{
    std::int64_t first{};  // serial
    std::int64_t last{};   // serial
    std::int64_t issued{};
    std::int64_t first_ordinal{};
    std::int32_t cycle{1};
};

/// Holds a carrier's bill against what the ledger says. Everything is in memory: 16 bytes for each
/// billed number, and the blocks and states of the series.
class reconciliation
{
public:
    using taker = std::function<void(bill_finding const&)>;

    /// `states` by ordinal, as read_states gives them. Findings go to `take` as they are found.
    reconciliation(
        bound_format const& format,
        std::vector<billed_block> blocks,
        std::vector<state_range> states,
        taker take
    );

    /// A line of the bill.
    void take_line(std::size_t line, std::string_view number);

    /// After the last line: what was billed twice or not at all.
    void finish();

    std::int64_t lines() const noexcept { return lines_; }

private:
    struct found_serial
    {
        billed_block const* block{};  // none: in no block
        std::int64_t ordinal{};       // 0: never left
    };

    found_serial find(std::int64_t serial) const;
    std::string_view state_of(std::int64_t ordinal) const;
    std::string number_of(std::int64_t ordinal) const;
    void find_doubles();
    void find_unbilled(state_range const& run);

    bound_format const& format_;
    std::vector<std::vector<billed_block>> cycles_;  // newest first, each by serial
    std::vector<billed_block> by_ordinal_;
    std::vector<state_range> states_;
    taker take_;
    std::vector<std::pair<std::int64_t, std::size_t>> billed_;  // ordinal, line
    std::size_t next_billed_{};
    std::int64_t lines_{};
};

}  // namespace gapless::cli
