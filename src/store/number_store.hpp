#pragma once

#include "domain/issuance_id.hpp"
#include "domain/number_record.hpp"
#include "store/pqxx_fwd.hpp"

#include <optional>
#include <string>
#include <vector>

/// What becomes of numbers after they left. Every function runs inside the caller's transaction.
namespace gapless {

/// Confirms or releases runs of serials of a hold, or (none given) all that is still held;
/// repeatable. Returns how many numbers were settled now. Refuses with unknown_issuance,
/// hold_expired, issuance_settled, state_conflict, unknown_number.
std::int64_t settle_hold(
    pqxx::transaction_base& transaction,
    issuance_id const& id,
    std::vector<serial_range> const& ranges,
    settlement what,
    std::string const& actor
);

/// Ends holds and blocks whose time is over; returns how many of each.
swept sweep_expired(pqxx::transaction_base& transaction);

/// A day of a series.
struct manifest_day
{
    std::string series;
    std::string day;  // 2026-11-22, in the database's time zone
};

/// Closes a day of a series; returns how many numbers are on its manifest. Repeatable. Refuses with
/// unknown_series.
std::int64_t close_manifest(
    pqxx::transaction_base& transaction, manifest_day const& wanted, std::string const& actor
);

/// How many numbers are on the manifest of a day; none: there is no such manifest.
std::optional<std::int64_t> count_manifest(
    pqxx::transaction_base& transaction, manifest_day const& wanted
);

/// The runs on the manifest of a day, in order.
std::vector<serial_range> read_manifest(
    pqxx::transaction_base& transaction, manifest_day const& wanted
);

}  // namespace gapless
