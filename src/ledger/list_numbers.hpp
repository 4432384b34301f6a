#pragma once

#include "base/csv_writer.hpp"
#include "base/refusal.hpp"
#include "formats/series_entry.hpp"
#include "ledger/ledger_row.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace gapless {

/// Refuses with not_found if the page is for a block that the series does not have, and like
/// check_period().
result<void> check_page(
    pqxx::transaction_base& transaction, series_entry const& series, ledger_page const& page
);

namespace cases {

/// A page of the ledger of a series, by ordinal. Refuses like check_page().
struct read_ledger
{
    using answer = ledger_piece;
    series_entry const* series{};  // must outlive the case
    ledger_page page;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Longest list of numbers in one answer: some 300,000 of them.
inline constexpr std::size_t numbers_bytes_max = 32 * 1'024 * 1'024;

/// Numbers of a ledger as CSV.
struct numbers_text
{
    std::string csv;
    std::optional<std::int64_t> next{};  // the ordinal after which to continue; none: complete
};

/// The numbers of a page of a ledger as CSV, one per line, in the format of ledger_text. Refuses
/// like check_page(), and with out_of_range beyond numbers_bytes_max.
struct list_numbers
{
    using answer = numbers_text;
    series_entry const* series{};  // must outlive the case
    ledger_page page;
    bool whole{};  // to the end of the ledger, ignoring the page's limit
    csv_style style{};

    result<answer> run(pqxx::transaction_base& transaction) const;
};

}  // namespace cases

}  // namespace gapless
