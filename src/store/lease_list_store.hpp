#pragma once

#include "domain/listed_lease.hpp"
#include "store/pqxx_fwd.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Leases as people see them, and what operators do with them. Every function runs inside the
/// caller's transaction, and blocks for one round trip. SQL's refusals leave through
/// run_serializable and its like (transaction.hpp).
namespace gapless {

/// Which leases are wanted; none: all.
struct lease_page
{
    std::optional<std::string> series{};
    std::optional<std::int64_t> after{};  // those behind this place
    std::optional<std::int32_t> limit{};
};

/// Leases, the oldest first, of the series that the acting token is for; none of a schema that
/// knows no leases. Refuses with unknown_series, forbidden.
std::vector<listed_lease> read_leases(pqxx::transaction_base& transaction, lease_page const& page);

/// That lease; none: there is no such, or the acting token may not know it. Refuses with forbidden.
std::optional<listed_lease> read_lease(pqxx::transaction_base& transaction, lease_id const& lease);

/// Has nothing of a lease drawn any more, and its instance return it, as soon as that hears of it
/// -> how many leases are recalled now: 0 or 1. Safe to repeat. Refuses with not_found, forbidden.
std::int64_t recall_lease(
    pqxx::transaction_base& transaction, lease_id const& lease, std::string const& actor
);

/// The same for every open lease, of one series or of all -> how many. Refuses with unknown_series,
/// forbidden.
std::int64_t recall_leases(
    pqxx::transaction_base& transaction,
    std::optional<std::string> const& series,
    std::string const& actor
);

/// Voids what a lease still holds, whose instance does not come back -> how many numbers. Safe to
/// repeat. Refuses with not_found, forbidden, out_of_range (no reason), state_conflict (it was
/// returned, or may still be drawn on).
std::int64_t write_off_lease(
    pqxx::transaction_base& transaction,
    lease_id const& lease,
    std::string const& reason,
    std::string const& actor
);

/// Has instances answer requests of a series from their reserves for so long, at most 600 s, as if
/// the database were away; 0 ends it. Returns when that ends. Refuses with unknown_series,
/// forbidden, out_of_range, state_conflict (the series has no reserve).
database_time drill_series(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::chrono::seconds time,
    std::string const& actor
);

}  // namespace gapless
