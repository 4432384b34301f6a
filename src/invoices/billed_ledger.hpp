#pragma once

#include "formats/number_completion.hpp"
#include "invoices/invoice.hpp"
#include "invoices/invoice_columns.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// The ledger of a series, indexed for quick look-ups of single numbers. Pure.
class billed_ledger
{
public:
    /// A serial as the ledger knows it.
    struct found_serial
    {
        billed_block const* block{};  // null: in no block
        std::int64_t ordinal{};       // 0: not issued here
        bool elsewhere{};
    };

    /// `format` must outlive it.
    billed_ledger(bound_format const& format, billed_series said);

    bound_format const& format() const noexcept { return format_; }
    std::vector<state_range> const& states() const noexcept { return said_.states; }
    std::vector<ordinal_range> const& issued() const noexcept { return said_.issued; }

    /// Reads a field as a number of the series. If it is not whole, returns the number it stands
    /// for: the one in a block, if there are two. Refuses with the reason.
    format_result<completed_number> read(std::string_view field) const;

    /// How well a field fits the series. Without a check character it must be in a block: any
    /// number of that length looks like one.
    number_fit judge(std::string_view field) const;

    /// For numbers that were loaded again: of the cycles that issued them in the requested period,
    /// the one that a carrier most likely charges for: the latest in which they were printed, else
    /// issued, else voided, free or held. Without any, the latest in which they were issued, here
    /// or elsewhere.
    found_serial find(std::int64_t serial) const;

    /// The ordinals under which the number of an issued one was used in the requested period: what
    /// a carrier may charge for, the likeliest first. Empty if there is none.
    std::vector<std::int64_t> uses_of(std::int64_t ordinal) const;

    /// "issued", "printed" … for an issued ordinal.
    std::string_view state_of(std::int64_t ordinal) const;

    /// The number with that ordinal, which must be issued.
    std::string number_of(std::int64_t ordinal) const;

    /// True if it was issued in the requested period.
    bool issued_in_period(std::int64_t ordinal) const;

private:
    /// How likely a carrier charges for a serial in one cycle.
    enum class claim : std::uint8_t
    {
        none,      // not issued
        unlikely,  // issued elsewhere, or outside the period
        unused,    // voided, free or held
        issued,
        shipped  // printed or manifested
    };

    found_serial find_in(std::vector<billed_block> const& cycle, std::int64_t serial) const;
    claim claim_of(found_serial const& found) const;
    std::int64_t serial_of(std::int64_t ordinal) const;

    bound_format const& format_;
    std::vector<std::vector<billed_block>> cycles_;  // newest first, each by serial
    std::vector<billed_block> by_ordinal_;
    billed_series said_;
};

}  // namespace gapless
