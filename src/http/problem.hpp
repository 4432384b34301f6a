#pragma once

#include "base/messages.hpp"
#include "http/answer.hpp"
#include "http/fault.hpp"

#include <chrono>
#include <random>

namespace gapless {

/// The HTTP status of a refusal kind.
int status_of(refusal_kind kind) noexcept;

/// Turns refusals, faults and failures into problem documents (RFC 9457):
/// {"type","title","status","detail","executed"}. Keeps no state but its random numbers.
class problem_writer
{
public:
    /// Answers a refusal with its type, title and status. 401 asks for a token, 429 and 503 carry
    /// Retry-After.
    void write(answer& given, refusal const& why, language wanted = language::english);

    /// Answers a request that cannot be read to its end.
    void write(answer& given, fault const& why, language wanted = language::english);

    /// Answers when we are wrong: 500 without a detail, executed unknown.
    void write_failure(answer& given, language wanted = language::english);

    /// Retry-After for a client that has to wait that long (0: a moment): 1, 2 or 3 seconds at
    /// random, or up to a tenth more than a longer time, so that clients do not return all at once.
    int to_retry_after(std::chrono::seconds least);

private:
    std::minstd_rand random_{std::random_device{}()};
};

}  // namespace gapless
