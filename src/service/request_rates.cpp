#include "service/request_rates.hpp"

#include "base/contract.hpp"

#include <algorithm>

namespace gapless {

request_rates::clock::duration request_rates::count(
    std::int32_t token_id, token_limits const& limits, clock::time_point now
)
{
    ensure(limits.rate > 0, "a rate that is counted is not 0");
    clock::duration const interval = clock::duration{std::chrono::seconds{1}} / limits.rate;
    auto const burst = limits.burst > 0 ? limits.burst : limits.rate;
    if (full_at_.size() >= tokens_max && !full_at_.contains(token_id))
        make_room(now);
    auto& full_at = full_at_[token_id];
    auto const filling = std::max(full_at, now);
    // With the bucket empty it takes burst intervals until it is full.
    auto const wait = filling + interval - now - interval * burst;
    if (wait > clock::duration::zero())
        return wait;
    full_at = filling + interval;
    return clock::duration::zero();
}

void request_rates::make_room(clock::time_point now)
{
    std::erase_if(full_at_, [now](auto const& each) { return each.second <= now; });
    if (full_at_.size() >= tokens_max)
        full_at_.clear();  // every token has its burst again; better than memory without bound
}

}  // namespace gapless
