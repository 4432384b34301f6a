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

/// What is asked over HTTP. The command line calls the functions below.
extern feature const administration;

/// Every lease of that series (none: of all that the acting token is for), the oldest first; none
/// of a schema that knows no leases. Refuses with unknown_series, forbidden.
std::vector<listed_lease> read_all(
    pqxx::transaction_base& database, std::optional<std::string> const& series = {}
);

/// Refuses with not_found, also a lease that the acting token may not know, and with forbidden.
result<listed_lease> read(pqxx::transaction_base& database, lease_id const& which);

/// Has nothing of a lease drawn any more, and its instance return it, as soon as that hears of it
/// -> how many leases are recalled now: 0 or 1. Safe to repeat. Refuses with not_found, forbidden.
std::int64_t recall(
    pqxx::transaction_base& database, lease_id const& which, std::string const& actor
);

/// The same for every open lease, of one series or of all -> how many. Refuses with unknown_series,
/// forbidden.
std::int64_t recall_all(
    pqxx::transaction_base& database,
    std::optional<std::string> const& series,
    std::string const& actor
);

/// Voids what a lease still holds, whose instance does not come back -> how many numbers. Safe to
/// repeat. Refuses with not_found, forbidden, out_of_range (no reason), state_conflict (it was
/// returned, or may still be drawn on).
std::int64_t write_off(
    pqxx::transaction_base& database,
    lease_id const& which,
    std::string const& reason,
    std::string const& actor
);

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
