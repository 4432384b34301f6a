#include "stock/use_model.hpp"

#include "base/contract.hpp"

#include <algorithm>
#include <cmath>

namespace gapless {

namespace {

constexpr std::size_t window_days = 56;       // the present: weekdays, noise, trend
constexpr std::size_t drift_weeks = 12;       // how the level moves
constexpr std::size_t year = 364;             // whole weeks, so that weekdays meet
constexpr std::size_t season_base_days = 42;  // before a season, to compare it with
constexpr std::size_t ahead_days = 2 * year;  // looked at day by day; after that, a mean day

constexpr double weekday_half_life = 28;  // days
constexpr double level_half_life = 10;    // days
constexpr double shape_prior = 0.5;       // days that a weekday starts with as a mean day
constexpr double usual_min = 6;           // numbers; with fewer, a day without is no wonder
constexpr double growth_kept = 0.5;       // of what was seen
constexpr double growth_min = -0.003;     // a day: a customer who went does not go on going
constexpr double growth_max = 0.02;
constexpr double growth_damping = 0.96;  // a day: the trend flattens within weeks
constexpr double season_min = 0.5;       // times the level: a strike of last year
constexpr double season_max = 5;
constexpr double season_doubt = 20;   // times the noise: weeks of few numbers tell little
constexpr double drift_prior = 0.06;  // of a week, as a logarithm
constexpr double drift_prior_weeks = 3;
constexpr double drift_days_max = 42;  // after that, levels return as often as they go on
constexpr double spread_max = 0.4;     // as a logarithm
constexpr double surge = 1.6;          // times the expected use

// Student's t with 4 degrees of freedom, for levels; a normal distribution, for days.
constexpr double level_one_in_ten = 1.533;
constexpr double level_one_in_hundred = 3.747;
constexpr double days_one_in_ten = 1.282;
constexpr double days_one_in_hundred = 2.326;

double weight_of(double age, double half_life)
{
    return std::exp2(-age / half_life);
}

}  // namespace

use_model::use_model(consumption const& used)
{
    auto const first = std::ranges::find_if(used.numbers, [](auto n) { return n > 0; });
    used_.assign(first, used.numbers.end());
    ensure(!used_.empty(), "a model of use has a day with numbers");
    sums_.resize(used_.size() + 1);
    for (std::size_t day = 0; day < used_.size(); ++day)
        sums_[day + 1] = sums_[day] + used_[day];
    window_ = used_.size() > window_days ? used_.size() - window_days : 0;
    std::chrono::weekday const today{used.today};
    first_weekday_ = (today.c_encoding() + 7 * used_.size() - used_.size()) % 7;
    read_weekdays();
    read_level();
    read_growth();
    read_noise();
    read_drift();
    look_ahead(used.used_today);
}

/// A holiday or a strike says nothing about the days to come: it is left out, as long as more days
/// of its weekday had numbers than had none.
bool use_model::is_closed(std::size_t day) const noexcept
{
    return used_[day] <= 0 && works_[weekday_of(day)];
}

void use_model::read_weekdays()
{
    std::array<int, 7> days{};
    std::array<int, 7> working{};
    std::array<double, 7> all_numbers{};
    for (auto day = window_; day < used_.size(); ++day)
    {
        ++days[weekday_of(day)];
        working[weekday_of(day)] += used_[day] > 0 ? 1 : 0;
        all_numbers[weekday_of(day)] += used_[day];
    }
    for (std::size_t n = 0; n < 7; ++n)
        works_[n] =
            days[n] >= 2 && 2 * working[n] > days[n] && all_numbers[n] >= usual_min * working[n];

    std::array<double, 7> numbers{};
    std::array<double, 7> weights{};
    for (auto day = window_; day < used_.size(); ++day)
    {
        if (is_closed(day))
            continue;
        auto const weight =
            weight_of(static_cast<double>(used_.size() - 1 - day), weekday_half_life);
        numbers[weekday_of(day)] += weight * used_[day];
        weights[weekday_of(day)] += weight;
    }
    double all{};
    double weight_of_all{};
    for (std::size_t n = 0; n < 7; ++n)
    {
        all += numbers[n];
        weight_of_all += weights[n];
    }
    auto const mean = all / weight_of_all;
    shape_.fill(1);
    if (mean <= 0)
        return;  // two months without a number
    double sum{};
    for (std::size_t n = 0; n < 7; ++n)
    {
        shape_[n] = (numbers[n] + shape_prior * mean) / (weights[n] + shape_prior);
        sum += shape_[n];
    }
    for (auto& part : shape_)
        part *= 7 / sum;
}

/// The level that the days before `end` tell of, later ones more. 0: no day was open.
double use_model::level_at(std::size_t end, double half_life) const noexcept
{
    double numbers{};
    double expected{};
    for (auto day = end > window_days ? end - window_days : 0; day < end; ++day)
    {
        if (is_closed(day))
            continue;
        auto const weight = weight_of(static_cast<double>(end - 1 - day), half_life);
        numbers += weight * used_[day];
        expected += weight * shape_[weekday_of(day)];
    }
    return expected > 0 ? numbers / expected : 0;
}

void use_model::read_level()
{
    level_ = level_at(used_.size(), level_half_life);
    if (used_.size() >= year + season_base_days)
        last_year_ = level_at(used_.size() - year, level_half_life);
}

/// From the four weeks before the latest two to these.
void use_model::read_growth()
{
    if (used_.size() < 42)
        return;
    double numbers[2]{};
    double expected[2]{};
    for (auto day = used_.size() - 42; day < used_.size(); ++day)
    {
        auto const late = day >= used_.size() - 14 ? 1 : 0;
        numbers[late] += is_closed(day) ? 0 : used_[day];
        expected[late] += is_closed(day) ? 0 : shape_[weekday_of(day)];
    }
    if (numbers[0] <= 0 || numbers[1] <= 0)
        return;
    auto const risen = std::log(numbers[1] / expected[1]) - std::log(numbers[0] / expected[0]);
    growth_ = std::clamp(growth_kept * risen / 21, growth_min, growth_max);
}

/// From mean distances, which a single odd day moves less than squares.
void use_model::read_noise()
{
    double distances{};
    double days{};
    for (auto day = window_; day < used_.size(); ++day)
    {
        auto const expected = level_ * shape_[weekday_of(day)];
        if (is_closed(day) || expected <= 0)
            continue;
        distances += std::abs(used_[day] - expected) / std::sqrt(expected);
        ++days;
    }
    auto const distance = days > 0 ? 1.25 * distances / days : 0;
    noise_ = std::max(1.0, distance * distance);
}

/// The median change from week to week, and a prior for as long as there are few weeks.
void use_model::read_drift()
{
    std::array<double, drift_weeks> changes{};
    std::size_t count = 0;
    double by_chance = 0;  // what odd days alone move weeks by, squared
    double later = 0;
    for (std::size_t week = 0; week <= drift_weeks && 7 * (week + 1) <= used_.size(); ++week)
    {
        double numbers{};
        double expected{};
        for (auto day = used_.size() - 7 * (week + 1); day < used_.size() - 7 * week; ++day)
        {
            numbers += is_closed(day) ? 0 : used_[day];
            expected += is_closed(day) ? 0 : shape_[weekday_of(day)];
        }
        if (numbers <= 0)
            continue;
        auto const level = std::log(numbers / expected);
        if (week > 0 && later != 0 && count < drift_weeks)
        {
            changes[count++] = std::abs(later - level);
            by_chance += 2 * noise_ / numbers;
        }
        later = level;
    }
    double squares = drift_prior_weeks * drift_prior * drift_prior;
    if (count > 0)
    {
        auto const middle = changes.begin() + static_cast<std::ptrdiff_t>(count / 2);
        std::nth_element(
            changes.begin(), middle, changes.begin() + static_cast<std::ptrdiff_t>(count)
        );
        auto const scale = 1.4826 * *middle;
        squares += std::max(0.0, static_cast<double>(count) * scale * scale - by_chance);
    }
    drift_ = std::sqrt(squares / (drift_prior_weeks + static_cast<double>(count)));
}

/// How much of the level of today the same week of last year would make; 1 without a last year.
double use_model::season_of(std::size_t days_ahead) const noexcept
{
    if (last_year_ <= 0)
        return 1;
    auto const middle = used_.size() - year + days_ahead % year;
    auto const begin = middle - 3;
    auto const end = std::min(middle + 4, used_.size());
    if (end <= begin)
        return 1;
    double expected{};
    for (auto day = begin; day < end; ++day)
        expected += shape_[weekday_of(day)];
    auto const seen = sums_[end] - sums_[begin];
    auto const trust = seen / (seen + season_doubt * noise_);
    auto const level = last_year_ + trust * (seen / expected - last_year_);
    return std::clamp(level / last_year_, season_min, season_max);
}

void use_model::look_ahead(std::int64_t used_today)
{
    ahead_.resize(ahead_days + 1);
    double trend = 1;
    double growth = growth_;
    for (std::size_t day = 0; day < ahead_days; ++day)
    {
        // With a last year, the season has the trend in it.
        trend *= last_year_ > 0 ? 1 : std::exp(growth);
        growth *= growth_damping;
        auto expected = level_ * shape_[weekday_of(used_.size() + day)] * trend * season_of(day);
        if (day == 0)
            expected = std::max(0.0, expected - static_cast<double>(used_today));
        ahead_[day + 1] = ahead_[day] + expected;
    }
}

double use_model::use_through(double days) const noexcept
{
    if (days < static_cast<double>(ahead_days))
        return ahead_[static_cast<std::size_t>(days)];
    auto const mean_day = (ahead_[ahead_days] - ahead_[ahead_days - year]) / year;
    return ahead_[ahead_days] + (days - static_cast<double>(ahead_days)) * mean_day;
}

double use_model::drift_of(double days) const noexcept
{
    auto const weeks = std::min(days, drift_days_max) / 7;
    return std::min(drift_ * std::sqrt(0.5 + weeks / 3), spread_max);
}

double use_model::use_of(double days, certainty how) const noexcept
{
    auto const middle = use_through(days);
    auto const noise = std::sqrt(noise_ * middle);
    auto const drift = drift_of(days);
    switch (how)
    {
    case certainty::few:
        return std::max(
            0.0, middle * std::exp(-level_one_in_ten * drift) - days_one_in_ten * noise
        );
    case certainty::median: return middle;
    case certainty::many:
        return middle * std::exp(level_one_in_ten * drift) + days_one_in_ten * noise;
    case certainty::surge: break;
    }
    return middle * std::max(surge, std::exp(level_one_in_hundred * drift)) +
           days_one_in_hundred * noise;
}

}  // namespace gapless
