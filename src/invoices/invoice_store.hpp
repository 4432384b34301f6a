#pragma once

#include "invoices/invoice.hpp"
#include "record/pqxx_fwd.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// What a carrier's invoice is compared with. Every function runs inside the caller's transaction.
namespace gapless {

/// The blocks of a series that were not withdrawn.
std::vector<billed_block> read_billed_blocks(
    pqxx::transaction_base& transaction, std::string const& series
);

/// The numbers of a series that were issued for the last time in from…to (none: any), by ordinal.
std::vector<ordinal_range> read_issued_between(
    pqxx::transaction_base& transaction, std::int32_t series_id, period const& issued
);

/// What replaced these numbers: issued later for the same reference, and neither voided nor held.
/// A few for each at most; none for a reference that many issuances have.
std::vector<replaced_number> read_replacements(
    pqxx::transaction_base& transaction,
    std::int32_t series_id,
    std::span<std::int64_t const> ordinals
);

/// Throws when nobody waits for the transaction any more: its connection was cut off.
void check_connection(pqxx::transaction_base& transaction);

}  // namespace gapless
