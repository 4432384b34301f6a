#pragma once

#include "base/refusal.hpp"
#include "record/operation.hpp"
#include "reserve/listed_lease.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

/// What operators do with leases. Each function blocks for one round trip inside the caller's
/// transaction. SQL's refusals leave through run_serializable and its like
/// (postgres/transaction.hpp).
namespace gapless::leases {

/// Requests over HTTP, and the commands of the command line.
extern feature const administration;

/// Every lease of that series (none: of all that the acting token is for), oldest first; empty if
/// the schema has no leases yet. Refuses with unknown_series, forbidden.
std::vector<listed_lease> read_all(
    pqxx::transaction_base& database, std::optional<std::string> const& series = {}
);

/// Refuses with forbidden, and with not_found also for a lease hidden from the acting token.
listed_lease read(pqxx::transaction_base& database, lease_name const& which);

/// Stops drawing on these leases; their instances return them as soon as they learn of it. Returns
/// the leases; of all, those that still hold numbers. Safe to repeat. Refuses with not_found,
/// unknown_series, forbidden.
std::vector<listed_lease> recall(
    pqxx::transaction_base& database, lease_recall const& wanted, caller const& by
);

/// Voids what a lease still holds when its instance does not come back. Safe to repeat. Refuses
/// with not_found, forbidden, out_of_range (no reason), state_conflict (already returned, or may
/// still be drawn on).
listed_lease write_off(pqxx::transaction_base& database, lease_end const& wanted, caller const& by);

/// Makes instances answer requests of a series from their reserves for that long, at most 600 s, as
/// in an outage; 0 ends it. Returns when the drill ends. Refuses with unknown_series, forbidden,
/// out_of_range, state_conflict (the series has no reserve).
database_time drill(
    pqxx::transaction_base& database,
    std::string const& series,
    std::chrono::seconds time,
    std::string const& actor
);

}  // namespace gapless::leases
