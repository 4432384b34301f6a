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

/// What the service knows about itself without asking anybody; read by metrics.
namespace gapless {

/// No limit to them.
inline constexpr auto all_series_lines = std::numeric_limits<std::size_t>::max();

/// The service at this moment.
struct service_figures
{
    queue_counters queue;
    std::size_t waiting{};  // issue requests
    bool connected{};       // the issue connection stands
    bool fenced{};          // no number may leave: it could leave a second time
    std::vector<locked_series> locked{};

    // As the database told a moment ago; empty until it did for the first time.
    std::vector<series::watched_series> series{};
    std::optional<std::chrono::system_clock::time_point> series_read{};  // when
    std::size_t series_lines{all_series_lines};  // of metrics, for series that need no look

    // Every record that is older is sealed; empty until this instance has seen that for once.
    std::optional<std::chrono::system_clock::time_point> sealed{};
    std::vector<health_check> checks{};  // of the database's server, fine or not
    std::size_t notice_waiters{};        // requests that wait for notices
    reserve_figures reserve{};
};

}  // namespace gapless
