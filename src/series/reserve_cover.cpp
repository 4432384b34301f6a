#include "series/reserve_cover.hpp"

namespace gapless {

namespace {

constexpr std::chrono::seconds cover_max = std::chrono::days{365};

}  // namespace

std::optional<std::chrono::seconds> reserve_lasts(std::int64_t numbers, double used_a_day)
{
    if (used_a_day <= 0)
        return std::nullopt;
    std::chrono::duration<double> const lasts =
        std::chrono::seconds{working_hours_of_day} * (static_cast<double>(numbers) / used_a_day);
    return lasts < cover_max ? std::chrono::floor<std::chrono::seconds>(lasts) : cover_max;
}

}  // namespace gapless
