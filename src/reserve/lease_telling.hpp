#pragma once

#include "cli/session.hpp"
#include "reserve/listed_lease.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gapless::cli {

/// Leases of a series, none: of all; the oldest first. Blocks and throws like session::read().
std::vector<leases::listed_lease> read_leases(
    session& session, std::optional<std::string> const& series
);

/// Says of each lease that still holds numbers where they are, and when that was heard of last:
/// "12 numbers on lease at packing-1, last contact 2026-11-24T05:00:00Z".
void say_on_lease(session const& session, std::vector<leases::listed_lease> const& leases);

/// The same for the leases of a series that are wanted back: of a block that ended.
void say_recalled(session& session, std::string const& series);

}  // namespace gapless::cli
