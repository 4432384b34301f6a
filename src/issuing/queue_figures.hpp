#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

/// What the queue counts about itself; read by metrics.
namespace gapless {

/// How many durations fell into each of a few fixed classes. Adding one searches 14 bounds.
struct duration_histogram
{
    using unit = std::chrono::microseconds;

    /// Upper bounds, inclusive.
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

/// What the queue did since it was created.
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

/// A series that another session has locked, and whose session it is; empty: not known yet.
struct locked_series
{
    std::string name;
    std::string role{};
    std::string application{};
};

}  // namespace gapless
