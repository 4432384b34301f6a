#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace gapless::test {

/// Draws from distributions of its own: those of the standard library differ from one to the next,
/// and a backtest has to find the same everywhere.
class chance
{
public:
    explicit chance(std::uint64_t seed) : engine_{seed} {}

    double between(double low, double high) { return low + (high - low) * unit(); }
    bool happens(double probability) { return unit() < probability; }
    bool one_in(int cases) { return happens(1.0 / cases); }

    /// Between the two, as often in each decade.
    double spread(double low, double high)
    {
        return std::exp(between(std::log(low), std::log(high)));
    }

    double normal()
    {
        auto const radius = std::sqrt(-2 * std::log(1 - unit()));
        return radius * std::cos(2 * std::numbers::pi * unit());
    }

    /// Poisson; for large means a normal distribution that is as wide.
    std::int64_t count(double mean)
    {
        if (mean > 50)
            return static_cast<std::int64_t>(
                std::max(0.0, std::round(mean + std::sqrt(mean) * normal()))
            );
        std::int64_t drawn = 0;
        for (auto left = unit(); left > std::exp(-mean); left *= unit())
            ++drawn;
        return drawn;
    }

private:
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

    std::mt19937_64 engine_;
};

}  // namespace gapless::test
