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
/// {"type","title","status","detail","executed"}. Remembers nothing but its random numbers.
class problem_writer
{
public:
    /// The answer to a refusal: its type, title and status. 401 asks for a token, 429 and 503 carry
    /// Retry-After.
    void write(answer& given, refusal const& why, language wanted = language::english);

    /// The answer to a request that cannot be read to its end.
    void write(answer& given, fault const& why, language wanted = language::english);

    /// The answer when we are wrong: 500 without a detail, executed unknown.
    void write_failure(answer& given, language wanted = language::english);

    /// Retry-After for who has to wait at least so long (0: a moment): 1, 2 or 3 seconds by chance,
    /// or up to a tenth more than a longer time, so that the refused do not come back all at once.
    int to_retry_after(std::chrono::seconds least);

private:
    std::minstd_rand random_{std::random_device{}()};
};

}  // namespace gapless
