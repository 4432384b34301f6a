#pragma once

#include <string_view>

/// Places where a test build fails on demand: between the messages of an issue connection
/// (issuing/failing_pipeline.hpp) and at the socket of a client (http/failing_socket.hpp), which
/// alone include this. docs/reports/torture.md says what the names stand for. Other builds have
/// nothing of it.
///
/// GAPLESS_FAILPOINT=batch_sent:kill@3 fails at the third passage of batch_sent; several are
/// separated by commas. Actions: kill (SIGKILL to itself), stop (SIGSTOP), delay=MILLISECONDS (the
/// whole thread), drop (the connection the point is about), break (a promise: throws
/// contract_violation).
namespace gapless {

/// Counts a passage; true when it is the one that fails. For what has to be prepared before.
bool failpoint_due(std::string_view point) noexcept;

/// Fails as the environment says; true: drop the connection. May not return.
bool run_failpoint(std::string_view point);

/// Both of it. True: drop the connection. May not return.
inline bool pass_failpoint(std::string_view point)
{
    return failpoint_due(point) && run_failpoint(point);
}

}  // namespace gapless
