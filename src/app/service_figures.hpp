#pragma once

#include "issuing/queue_figures.hpp"
#include "postgres/health_check.hpp"
#include "reserve/reserve_figures.hpp"
#include "series/series.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

/// What the service knows about itself without asking the database; read by metrics.
namespace gapless {

/// No limit on lines.
inline constexpr auto all_series_lines = std::numeric_limits<std::size_t>::max();

/// The current state of the service.
struct service_figures
{
    queue_counters queue;
    std::size_t waiting{};  // issue requests
    bool connected{};       // an issue connection is up
    bool refused{};         // requests for numbers are refused; readiness says why
    bool fenced{};          // no number may be issued: it could be issued twice
    std::vector<locked_series> locked{};

    // As last read from the database; empty until the first time.
    std::vector<series::watched_series> series{};
    std::optional<std::chrono::system_clock::time_point> series_read{};  // when
    std::size_t series_lines{all_series_lines};  // of metrics, for series that need no action

    // Every record older than this is sealed; none until this instance has seen that once.
    std::optional<std::chrono::system_clock::time_point> sealed{};
    std::vector<health_check> checks{};  // of the database's server, passed or not
    std::size_t notice_waiters{};        // requests waiting for notices
    reserve_figures reserve{};
};

}  // namespace gapless
