#pragma once

#include "app/cli/session.hpp"
#include "domain/listed_lease.hpp"

#include <vector>

namespace gapless::cli {

/// Says of each lease that still holds numbers where they are, and when that was heard of last:
/// "12 numbers on lease at packing-1, last contact 2026-11-24T05:00:00Z".
void say_on_lease(session const& session, std::vector<listed_lease> const& leases);

/// The same for the leases of a series that are wanted back: of a block that ended.
void say_recalled(session& session, std::string const& series);

}  // namespace gapless::cli
