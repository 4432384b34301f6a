#pragma once

#include "issuing/binary_parameters.hpp"
#include "issuing/issue_connection.hpp"
#include "issuing/pipeline.hpp"

#include <libpq-fe.h>
#include <optional>

/// How a batch is put into statements, and what their results mean. No connection handling here.
namespace gapless {

/// Prepares the statements on a fresh connection. Blocks. Returns what went wrong, or nothing.
std::optional<refusal> prepare_statements(PGconn* connection);

/// Queues a batch and its Sync: one transaction. With courtesy::lock between a lock and an unlock
/// of its series, each with its own Sync: three transactions, one burst. False if libpq failed.
bool send_batch(pipeline& wire, batch_to_issue const& batch, binary_parameters& parameters);

/// What an error means for the batch: nothing of it happened, unless its fate is unknown.
void read_error(batch_to_issue const& batch, PGresult const* result, batch_end& end);

/// What the statement's result says; its fate `done` counts only once the Sync after it arrived.
batch_end read_batch_result(batch_to_issue const& batch, PGresult const* result);

}  // namespace gapless
