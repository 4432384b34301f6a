#pragma once

#include "forecast/shop.hpp"
#include "stock/forecast.hpp"

#include <functional>

namespace gapless::test {

/// When to order, as of today; none: not known.
using adviser =
    std::function<std::optional<std::chrono::sys_days>(consumption const&, stock const&)>;

std::optional<std::chrono::sys_days> order_by_forecast(consumption const& used, stock const& left);

/// The remaining numbers at the mean of seven days, less the lead time: what the forecast has to
/// beat.
std::optional<std::chrono::sys_days> order_by_mean(consumption const& used, stock const& left);

/// What became of an adviser's order dates. A run is one stock, from its first day to its last.
struct outcome
{
    std::uint64_t runs{};
    std::uint64_t late{};    // ordered less than lead_days before the last number, or never
    std::uint64_t early{};   // more than twice the lead time and 14 days before it
    double days{};           // of all runs
    double spare{};          // days between the order and lead_days before the last number
    std::uint64_t inside{};  // runs whose last day was from exhausted_from to exhausted_to …
    std::uint64_t spans{};   // … as told 30 days before, of so many

    outcome& operator+=(outcome const& other);
    double in_time() const { return 1 - share(late, runs); }
    double mean_spare() const { return runs > 0 ? spare / static_cast<double>(runs) : 0; }
    double in_span() const { return share(inside, spans); }

    /// How often a series orders too early in 91 days.
    double early_a_quarter() const
    {
        return days > 0 ? static_cast<double>(early) * 91.25 / days : 0;
    }

private:
    static double share(std::uint64_t part, std::uint64_t all)
    {
        return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
    }
};

/// Lives through the days of a shipper, stock after stock, and looks at the advice as its clerk
/// would: each day, and rarely while the order date is far. Stocks last longer than the lead time.
outcome try_advice(shop_year const& lived, std::uint64_t seed, adviser const& advise);

}  // namespace gapless::test
