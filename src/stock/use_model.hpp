#pragma once

#include "stock/forecast.hpp"

#include <array>
#include <vector>

namespace gapless {

/// How a series uses numbers, read from its days: level, weekdays, trend, season, spread.
class use_model
{
public:
    /// At least one day has numbers.
    explicit use_model(consumption const& used);

    /// Numbers a day, the mean of a week at the present level.
    double per_day() const noexcept { return level_; }

    /// How sure a statement about use has to be.
    enum class certainty
    {
        few,     // use is less in one of ten cases
        median,  // in five
        many,    // in nine
        surge,   // in ninety-nine of a hundred, and a surge is allowed for
    };

    /// Numbers used from now to the end of so many days, today the first of them. Grows with
    /// `days`, from the few it is not 0.
    double use_of(double days, certainty how) const noexcept;

private:
    void read_weekdays();
    void read_level();
    void read_growth();
    void read_noise();
    void read_drift();
    void look_ahead(std::int64_t used_today);

    std::size_t weekday_of(std::size_t day) const noexcept { return (first_weekday_ + day) % 7; }
    bool is_closed(std::size_t day) const noexcept;
    double level_at(std::size_t end, double half_life) const noexcept;
    double season_of(std::size_t days_ahead) const noexcept;
    double use_through(double days) const noexcept;
    double drift_of(double days) const noexcept;

    std::vector<double> used_;  // by day, from the first with numbers to yesterday
    std::vector<double> sums_;  // sums_[n]: of the first n
    std::size_t first_weekday_{};
    std::size_t window_{};           // the first of the latest days, which tell of the present
    std::array<double, 7> shape_{};  // of a weekday, against the mean of a week
    std::array<bool, 7> works_{};    // numbers are usual on it
    double level_{};                 // numbers a day
    double last_year_{};             // the level a year ago; 0: not known
    double growth_{};                // of a day, as a logarithm
    double noise_{};                 // of a day: variance by mean
    double drift_{};                 // of a week, as a logarithm
    std::vector<double> ahead_;      // ahead_[n]: expected use of the next n days
};

}  // namespace gapless
