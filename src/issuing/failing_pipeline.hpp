#pragma once

#include "issuing/pipeline.hpp"

#include <memory>

namespace gapless {

/// A pipeline with failpoints (base/failpoint.hpp) between its messages, in the order of a batch:
///
///   batch_leaving   nothing of it was sent
///   lock_taken      its series' lock is taken, if it takes one; the batch is not sent
///   batch_queued    libpq has it, the kernel does not yet
///   batch_sent      PostgreSQL has executed it and waits for its Sync
///   commit_sent     its Sync is on the way
///   commit_arrived  PostgreSQL is committing, or has committed
///   answer_arrived  the answer to its Sync is here, but nobody has read it
///
/// `drop` cuts the connection there. Only in builds with failpoints.
std::unique_ptr<pipeline> open_failing_pipeline(PGconn* connection);

}  // namespace gapless
