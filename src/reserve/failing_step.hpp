#pragma once

#include <string_view>

namespace gapless {

/// Places in the steps of a reserve where a test build fails on demand (base/failpoint.hpp), in the
/// order in which they are passed:
///
///   lease_intended    the journal says that a lease is wanted; the database was not asked
///   lease_taken       the database granted it; the journal does not know
///   lease_granted     the journal knows; nothing was drawn
///   answer_drawn      an answer waits for the flush of its record
///   answer_flushed    its record is on the disk; nobody was answered
///   lease_settling    the database is about to be told
///   lease_settled     it knows; the journal does not
///   lease_closed      the journal says that nothing is drawn any more; nothing was returned
///   lease_returned    it was returned; the journal does not know
///
/// An action that drops a connection makes no sense here and does nothing. No-op in builds without
/// failpoints.
void pass_step(std::string_view step);

}  // namespace gapless
