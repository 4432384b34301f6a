#include "base/repeated_log.hpp"

#include "base/log.hpp"

#include <utility>

namespace gapless {

namespace {

constexpr std::chrono::minutes line_interval{1};

}  // namespace

std::optional<std::uint64_t> repeated_failures::count(
    std::string_view event, std::string_view what, clock::time_point now
)
{
    std::lock_guard const lock{mutex_};
    auto const is_old = [now](line const& one) { return now - one.written >= line_interval; };
    // Forget what did not repeat after its minute.
    std::erase_if(lines_, [&](auto const& each) {
        return is_old(each.second) && each.second.repeated == 0;
    });
    auto const [found, fresh] = lines_.try_emplace(std::string{event} + ' ' + std::string{what});
    auto& one = found->second;
    if (!fresh && !is_old(one))
    {
        ++one.repeated;
        return std::nullopt;
    }
    one.written = now;
    return std::exchange(one.repeated, 0);
}

void log_failure(std::string_view event, std::string_view what)
{
    static repeated_failures all;
    if (auto const repeated = all.count(event, what, repeated_failures::clock::now()))
        log_event(log_level::error, event, {{"what", what}, {"repeated", *repeated}});
}

}  // namespace gapless
