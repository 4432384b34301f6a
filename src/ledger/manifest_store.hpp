#pragma once

#include "ledger/ledger_row.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Closed days. Every function runs inside the caller's transaction.
namespace gapless {

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

/// How many numbers are on the manifest of a day; nullopt: there is no such manifest.
std::optional<std::int64_t> count_manifest(
    pqxx::transaction_base& transaction, manifest_day const& wanted
);

/// The runs on the manifest of a day, in order.
std::vector<serial_range> read_manifest(
    pqxx::transaction_base& transaction, manifest_day const& wanted
);

}  // namespace gapless
