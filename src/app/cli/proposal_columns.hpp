#pragma once

#include "app/cli/session.hpp"
#include "domain/format/bound_format.hpp"
#include "domain/records.hpp"

namespace gapless::cli {

/// Prints blocks that somebody else has to confirm, and says so. Always not_allowed: nothing was
/// loaded.
exit_code print_proposal(
    session const& session, proposal_record const& proposal, bound_format const& format
);

}  // namespace gapless::cli
