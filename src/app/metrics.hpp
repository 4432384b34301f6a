#pragma once

#include "app/service_figures.hpp"
#include "http/counters.hpp"

#include <chrono>
#include <string>

namespace gapless {

/// Everything that is counted, in the text format of Prometheus (version 0.0.4). Reads the memory
/// the process has from /proc; asks nothing else.
std::string to_metrics(
    http_counters const& http,
    service_figures const& service,
    std::chrono::system_clock::time_point started
);

}  // namespace gapless
