#pragma once

#include "base/refusal.hpp"
#include "record/operation.hpp"
#include "series/series.hpp"

#include <optional>
#include <string>
#include <vector>

/// Series. Each function blocks for a round trip or two inside the caller's transaction; SQL's
/// refusals leave through run_serializable and its like (postgres/transaction.hpp).
namespace gapless::series {

/// The operations over HTTP and on the command line.
extern feature const administration;
extern feature const reports;

/// The named series (no row: no such series).
std::vector<known_series> read_known(pqxx::transaction_base& database, std::string const& name);

/// The most series that read_watched() reads: some hundredths of a second.
inline constexpr std::size_t watched_at_once = 1'000;

/// Series by name, those after `after`.
std::vector<watched_series> read_watched(
    pqxx::transaction_base& database, std::string const& after
);

/// Id and name of every series, by name.
std::vector<series_identity> read_identities(pqxx::transaction_base& database);

/// The named series. Refuses with unknown_series.
result<known_series> find(pqxx::transaction_base& database, std::string const& name);

/// The forecasts of these series as a JSON object, by name, each with the remaining count; empty if
/// nothing must be ordered by tomorrow. Series without a forecast are left out.
std::string to_forecasts_json(std::vector<watched_series> const& all);

/// Throws refused with unknown_series.
series read(pqxx::transaction_base& database, series_name const& which);

/// Creates a series. Throws refused with state_conflict (the name is taken), out_of_range (also for
/// an unknown format, and parameters that do not fit it), forbidden (not a series of the viewer).
series create(
    pqxx::transaction_base& database,
    series_draft const& draft,
    caller const& by,
    viewer const& sees
);

/// Throws refused with unknown_series, precondition_failed, out_of_range.
series change(pqxx::transaction_base& database, series_change const& wanted, caller const& by);

}  // namespace gapless::series
