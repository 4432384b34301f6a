#pragma once

#include "invoices/invoice.hpp"
#include "record/pqxx_fwd.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// The data for checking a carrier's invoice. Every function runs inside the caller's transaction.
namespace gapless {

/// The blocks of a series, except withdrawn ones.
std::vector<billed_block> read_billed_blocks(
    pqxx::transaction_base& transaction, std::string const& series
);

/// The numbers of a series that were last issued in from…to (none: any time), by ordinal.
std::vector<ordinal_range> read_issued_between(
    pqxx::transaction_base& transaction, std::int32_t series_id, period const& issued
);

/// The replacements of these numbers: issued later for the same reference, and neither voided nor
/// held. At most a few for each; none for a reference with many issuances.
std::vector<replaced_number> read_replacements(
    pqxx::transaction_base& transaction,
    std::int32_t series_id,
    std::span<std::int64_t const> ordinals
);

/// Throws if nobody waits for the transaction any more: its connection was cut off.
void check_connection(pqxx::transaction_base& transaction);

}  // namespace gapless
