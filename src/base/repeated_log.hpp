#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace gapless {

/// What work that is done again and again fails with, for the log: of the same failure one line a
/// minute. Any thread.
class repeated_failures
{
public:
    using clock = std::chrono::steady_clock;

    /// How often this was told of since its latest line, when it is time for another one; none: it
    /// is not.
    std::optional<std::uint64_t> count(
        std::string_view event, std::string_view what, clock::time_point now
    );

private:
    struct line
    {
        clock::time_point written;
        std::uint64_t repeated{};
    };

    std::mutex mutex_;
    std::map<std::string, line> lines_;  // by event and what; those of the last minute
};

/// Logs an error of work that is tried again soon: {"event":event,"what":what,"repeated":n}, n
/// being how often the same failed since its latest line. Any thread.
void log_failure(std::string_view event, std::string_view what);

}  // namespace gapless
