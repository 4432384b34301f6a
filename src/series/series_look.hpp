#pragma once

#include "postgres/database_threads.hpp"
#include "series/series.hpp"

#include <chrono>
#include <vector>

namespace gapless::series {

/// Every series by name, and how long it took to read them.
struct series_look
{
    std::vector<watched_series> series;
    std::chrono::milliseconds took{};
};

/// Looks at every series, some in each transaction: however many there are, no read becomes too
/// long for a database thread. I/O thread; refuses as database_threads::run() does.
boost::asio::awaitable<result<series_look>> look_at_all(database_threads& threads);

/// How long after the beginning of a look the next one may begin, `least` or later: looks take a
/// tenth of a core at most, unless that would be a pause that alerts do not bear.
std::chrono::milliseconds pause_after(
    std::chrono::milliseconds took, std::chrono::milliseconds least
);

}  // namespace gapless::series
