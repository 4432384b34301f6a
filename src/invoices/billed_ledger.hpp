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

    /// For numbers that were loaded again: the latest cycle that issued them in the requested
    /// period, else the latest in which they were issued, here or elsewhere.
    found_serial find(std::int64_t serial) const;

    /// "issued", "printed" … for an issued ordinal.
    std::string_view state_of(std::int64_t ordinal) const;

    /// The number with that ordinal, which must be issued.
    std::string number_of(std::int64_t ordinal) const;

    /// True if it was issued in the requested period.
    bool issued_in_period(std::int64_t ordinal) const;

private:
    bound_format const& format_;
    std::vector<std::vector<billed_block>> cycles_;  // newest first, each by serial
    std::vector<billed_block> by_ordinal_;
    billed_series said_;
};

}  // namespace gapless
