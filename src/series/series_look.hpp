#pragma once

#include "postgres/database_threads.hpp"
#include "series/series.hpp"

#include <chrono>
#include <vector>

namespace gapless::series {

/// All series by name, and how long it took to read them.
struct series_look
{
    std::vector<watched_series> series;
    std::chrono::milliseconds took{};
};

/// Reads every series, some per transaction, so that with any number of them no read takes too long
/// for a database thread. I/O thread; refuses like database_threads::run().
boost::asio::awaitable<result<series_look>> look_at_all(database_threads& threads);

/// The time from the start of one look to the next, at least `least`: looks use at most a tenth of
/// a core, unless the pause would be too long for alerts.
std::chrono::milliseconds pause_after(
    std::chrono::milliseconds took, std::chrono::milliseconds least
);

}  // namespace gapless::series
