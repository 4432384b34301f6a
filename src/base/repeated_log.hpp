#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace gapless {

/// Limits the log of work that is retried again and again: one line a minute for the same failure.
/// Any thread.
class repeated_failures
{
public:
    using clock = std::chrono::steady_clock;

    /// How often this occurred since its last line, if it is time for another one; nullopt: it is
    /// not.
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
    std::map<std::string, line> lines_;  // by event and what, from the last minute
};

/// Logs a failure of work that is retried soon: {"event":event,"what":what,"repeated":n}, n being
/// how often the same occurred since its last line. Any thread.
void log_failure(std::string_view event, std::string_view what);

}  // namespace gapless
