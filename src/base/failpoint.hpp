#pragma once

#include <string_view>

/// Places where a test build fails on demand: between the messages of an issue connection
/// (issuing/failing_pipeline.hpp) and at a client's socket (http/failing_socket.hpp), the only
/// files that include this. docs/reports/torture.md explains the names. Other builds contain none
/// of it.
///
/// GAPLESS_FAILPOINT=batch_sent:kill@3 fails at the third passage of batch_sent; several are
/// separated by commas. Actions: kill (SIGKILL to itself), stop (SIGSTOP), delay=MILLISECONDS (the
/// whole thread), drop (the connection at that point), break (a promise: throws
/// contract_violation).
namespace gapless {

/// Counts a passage; returns true if it is the one that fails. For points that need preparation.
bool failpoint_due(std::string_view point) noexcept;

/// Fails as the environment says; returns true to drop the connection. May not return.
bool run_failpoint(std::string_view point);

/// Does both. Returns true to drop the connection. May not return.
inline bool pass_failpoint(std::string_view point)
{
    return failpoint_due(point) && run_failpoint(point);
}

}  // namespace gapless
