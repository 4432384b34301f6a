#pragma once

#include "domain/health_check.hpp"
#include "series/series.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What the service knows about itself without asking anybody; read by metrics.
namespace gapless {

/// How many times fell into each of a few fixed classes. Adding costs a search in 14 bounds.
struct duration_histogram
{
    using unit = std::chrono::microseconds;

    /// Upper ends, the end itself included.
    static constexpr std::array<unit, 14> bounds{
        unit{250},
        unit{500},
        unit{1'000},
        unit{2'500},
        unit{5'000},
        unit{10'000},
        unit{25'000},
        unit{50'000},
        unit{100'000},
        unit{250'000},
        unit{500'000},
        unit{1'000'000},
        unit{2'500'000},
        unit{10'000'000}};

    std::array<std::uint64_t, bounds.size() + 1> counts{};  // the last: longer than every bound
    std::chrono::nanoseconds sum{};

    void add(std::chrono::nanoseconds took) noexcept
    {
        auto const bound = std::ranges::lower_bound(bounds, took);
        ++counts[static_cast<std::size_t>(bound - bounds.begin())];
        sum += took;
    }
};

/// What the queue did since it began.
struct queue_counters
{
    std::uint64_t batches{};
    std::uint64_t looked_up_batches{};
    std::uint64_t requests{};  // in these batches; one that is sent again counts again
    std::uint64_t conflicts{};
    std::uint64_t unknown_batches{};  // connection lost with the batch under way
    std::uint64_t refused_overloaded{};
    std::uint64_t answered_unknown{};  // requests answered outcome_unknown
    std::uint64_t numbers{};           // issued or held, replays not counted
    std::uint64_t replays{};           // requests answered from the ledger
    duration_histogram durations{};    // of requests, from their arrival in the queue to their end
};

/// A series that another session holds, and whose; empty: not known yet.
struct locked_series
{
    std::string name;
    std::string role{};
    std::string application{};
};

/// What this instance can issue of a series while the database is away.
struct reserve_of_series
{
    std::string series;
    std::int64_t rest{};  // numbers
    bool serves{};        // it may be drawn on, should the database go now
};

/// The reserve of this instance.
struct reserve_figures
{
    std::vector<reserve_of_series> series{};  // with numbers on lease
    std::uint64_t answers{};                  // that were drawn from it
    std::uint64_t unsettled{};                // of them, those that the database does not know yet
    bool cut{};                               // the database is away: it is drawn on
    std::uint64_t tokens_left_out{};          // in force, and not trusted in an outage: too many
};

/// The service at this moment.
struct service_figures
{
    queue_counters queue;
    std::size_t waiting{};  // issue requests
    bool connected{};       // the issuing connection stands
    bool fenced{};          // no number may leave: it could leave a second time
    std::vector<locked_series> locked{};

    // As the database told a moment ago; empty until it did for the first time.
    std::vector<series::known_series> series{};
    std::optional<std::chrono::system_clock::time_point> series_read{};  // when

    // Every record that is older is sealed; empty until this instance has seen that for once.
    std::optional<std::chrono::system_clock::time_point> sealed{};
    std::vector<health_check> checks{};  // of the database's server, fine or not
    std::size_t notice_waiters{};        // requests that wait for notices
    reserve_figures reserve{};
};

}  // namespace gapless
