#pragma once

#include "invoices/billed_ledger.hpp"
#include "invoices/invoice_file.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace gapless {

/// A discrepancy between a carrier's invoice and the ledger.
enum class bill_fault : std::uint8_t
{
    not_of_series = 1,  // billed, but not a possible number of this series
    outside_blocks,     // billed, but in no loaded block of the series
    never_issued,       // billed, but still free or held
    billed_voided,      // billed, but voided
    billed_twice,       // billed in more than one line
    never_billed,       // printed or manifested, but in no line
};

inline constexpr std::size_t bill_faults = 6;

/// "not-of-series" …
std::string_view text_of(bill_fault fault) noexcept;
void append_schema(std::string& json, std::type_identity<bill_fault>);

/// A single discrepancy.
struct bill_finding
{
    bill_fault fault{};
    std::string number;
    std::size_t line{};  // of the invoice; 0: in none
    std::optional<amount> charged;
    std::string detail;
};

/// A total stated on the invoice, and the sum of the lines above it.
struct stated_total
{
    std::size_t line{};
    amount stated;
    amount sum;
};

/// The totals over all lines and findings.
struct bill_summary
{
    std::int64_t lines{};                                      // without titles and totals
    std::array<std::int64_t, bill_faults> findings{};          // by fault
    std::array<std::optional<amount>, bill_faults> charged{};  // none: no amount was read
    std::int64_t elsewhere{};       // numbers that another system issued before they were loaded
    std::int64_t outside_period{};  // numbers issued outside the requested period
    std::int64_t several_rows{};    // numbers with more than one line
    std::int64_t title_lines{};     // above the table, and repeated headings
    std::int64_t total_lines{};     // including taxes
    std::optional<amount> sum;      // of all lines; none: no amount was read
    std::vector<stated_total> differing_totals;  // at most differing_totals_max
    std::int64_t amounts_unread{};
    std::int64_t completed{};   // numbers without check digit, or without zeros in front
    std::size_t unread_line{};  // the first one
    std::string unread_value;

    std::int64_t all() const noexcept;
};

/// Most totals that are reported one by one.
inline constexpr std::size_t differing_totals_max = 20;

/// Most voided numbers of an invoice whose replacements are searched for.
inline constexpr std::size_t replacements_max = 10'000;

/// Compares a carrier's invoice with the ledger. Everything is in memory: some 50 bytes for each
/// billed number, and the blocks and states of the series.
class reconciliation
{
public:
    using taker = std::function<void(bill_finding const&)>;
    using replacement_finder =
        std::function<std::vector<replaced_number>(std::span<std::int64_t const>)>;

    /// `take` receives the findings as they are found, `tick` is called every few thousand steps.
    struct surroundings
    {
        taker take;
        replacement_finder find_replacements;
        std::function<void()> tick;
    };

    /// `ledger` must outlive it.
    reconciliation(billed_ledger const& ledger, surroundings around);

    /// Takes a line of the invoice.
    void take_line(invoice_line line);

    /// Call after the last line: finds voided numbers, and those billed twice or not at all.
    void finish();

    bill_summary const& summary() const noexcept { return summary_; }

private:
    static constexpr auto no_amount = static_cast<std::uint32_t>(-1);

    /// The meaning of `place`: an ordinal or a serial.
    enum class billed_as : std::uint8_t
    {
        issued = 1,    // an ordinal
        elsewhere,     // the serial of a number that another system issued
        never_issued,  // a serial
        outside        // a serial
    };

    /// A number on the invoice.
    struct billed
    {
        billed_as as{};
        bool rounded{};           // apparently by a spreadsheet
        std::uint32_t charged{};  // index in amounts_
        std::int64_t place{};
        std::size_t line{};
        std::uint64_t charge{};  // see invoice_line
    };

    /// The lines of one number, by charge and line.
    using lines_of_number = std::span<billed const>;

    void take(bill_finding found);
    void take_all(bill_fault fault, lines_of_number lines, std::string detail);
    std::array<amount, 4> possible_totals() const;
    void take_total(invoice_line const& line);
    void sort_billed();
    bool deal_uses(std::span<billed> lines);
    void take_number(lines_of_number lines);
    std::string name_number(billed const& each) const;
    lines_of_number find_billed(std::int64_t ordinal) const;
    std::optional<amount> charged_of(billed const& each) const;
    void find_voided();
    void tell_voided(lines_of_number lines, std::span<replaced_number const> replacements);
    using credits = std::map<std::pair<std::int64_t, std::int64_t>, std::size_t>;  // by amount
    bool is_charge(billed const& each) const;
    void count_credits(lines_of_number lines, credits& counted);
    credits find_spare_credits(lines_of_number lines);
    template <class Line, class Take>
    void take_charges(std::span<Line> lines, credits& spare, Take take);
    void find_doubles(lines_of_number lines);
    void find_unbilled(state_range const& run);
    void step();

    billed_ledger const& ledger_;
    surroundings around_;
    std::vector<billed> billed_;
    std::vector<lines_of_number> never_issued_;  // in billed_, as those below
    std::vector<lines_of_number> voided_;
    std::vector<lines_of_number> several_;
    std::vector<amount> amounts_;
    std::set<std::int64_t> told_;  // ordinals of never-billed numbers already reported
    std::size_t next_billed_{};
    std::size_t next_period_{};
    std::uint64_t steps_{};
    amount taxes_;              // above the last line
    amount section_taxes_;      // of these, in its section
    amount sum_above_section_;  // of the lines
    bool section_ends_{};       // its total was found: the next line begins another one
    bill_summary summary_;
};

}  // namespace gapless
