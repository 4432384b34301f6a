#pragma once

#include "formats/number_completion.hpp"
#include "invoices/invoice.hpp"
#include "invoices/invoice_columns.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// What the ledger says of a series, so that it answers for single numbers quickly. Pure.
class billed_ledger
{
public:
    /// A serial as the ledger knows it.
    struct found_serial
    {
        billed_block const* block{};  // none: in no block
        std::int64_t ordinal{};       // 0: not issued here
        bool elsewhere{};
    };

    /// `format` outlives it.
    billed_ledger(bound_format const& format, billed_series said);

    bound_format const& format() const noexcept { return format_; }
    std::vector<state_range> const& states() const noexcept { return said_.states; }
    std::vector<ordinal_range> const& issued() const noexcept { return said_.issued; }

    /// A field as a number of the series. Where it is not whole, the number it stands for: the one
    /// in a block, if there are two. Refuses with the reason.
    format_result<completed_number> read(std::string_view field) const;

    /// How a field fits the series. Without a check character it has to be in a block: any number
    /// of that length looks like one.
    number_fit judge(std::string_view field) const;

    /// Of numbers that were loaded again the latest cycle in which they were issued.
    found_serial find(std::int64_t serial) const;

    /// "issued", "printed" … of an ordinal that was issued.
    std::string_view state_of(std::int64_t ordinal) const;

    /// The number with that ordinal, which was issued.
    std::string number_of(std::int64_t ordinal) const;

    /// True if it was issued within the requested period.
    bool issued_in_period(std::int64_t ordinal) const;

private:
    bound_format const& format_;
    std::vector<std::vector<billed_block>> cycles_;  // newest first, each by serial
    std::vector<billed_block> by_ordinal_;
    billed_series said_;
};

}  // namespace gapless
