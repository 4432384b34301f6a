#pragma once

#include "app/service_figures.hpp"
#include "http/counters.hpp"

#include <chrono>
#include <string>

namespace gapless {

/// All metrics, in the text format of Prometheus (version 0.0.4). Figures of series that were read
/// more than three minutes before `now` are left out. Reads the process's memory use from /proc;
/// needs no other source.
std::string to_metrics(
    http_counters const& http,
    service_figures const& service,
    std::chrono::system_clock::time_point started,
    std::chrono::system_clock::time_point now
);

}  // namespace gapless
