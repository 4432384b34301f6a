#pragma once

#include "base/refusal.hpp"
#include "record/operation.hpp"
#include "reserve/listed_lease.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

/// What operators do with leases. Each function is one round trip inside the caller's transaction,
/// and blocks. SQL's refusals leave through run_serializable and its like
/// (postgres/transaction.hpp).
namespace gapless::leases {

/// What is asked over HTTP, and what the command line asks and does.
extern feature const administration;

/// Every lease of that series (none: of all that the acting token is for), the oldest first; none
/// of a schema that knows no leases. Refuses with unknown_series, forbidden.
std::vector<listed_lease> read_all(
    pqxx::transaction_base& database, std::optional<std::string> const& series = {}
);

/// Refuses with not_found, also a lease that the acting token may not know, and with forbidden.
listed_lease read(pqxx::transaction_base& database, lease_name const& which);

/// Has nothing of these leases drawn any more, and their instances return them, as soon as those
/// hear of it -> the leases; of all, those that still hold numbers. Safe to repeat. Refuses with
/// not_found, unknown_series, forbidden.
std::vector<listed_lease> recall(
    pqxx::transaction_base& database, lease_recall const& wanted, caller const& by
);

/// Voids what a lease still holds, whose instance does not come back. Safe to repeat. Refuses with
/// not_found, forbidden, out_of_range (no reason), state_conflict (it was returned, or may still be
/// drawn on).
listed_lease write_off(pqxx::transaction_base& database, lease_end const& wanted, caller const& by);

/// Has instances answer requests of a series from their reserves for so long, at most 600 s, as if
/// the database were away; 0 ends it. Returns when that ends. Refuses with unknown_series,
/// forbidden, out_of_range, state_conflict (the series has no reserve).
database_time drill(
    pqxx::transaction_base& database,
    std::string const& series,
    std::chrono::seconds time,
    std::string const& actor
);

}  // namespace gapless::leases
