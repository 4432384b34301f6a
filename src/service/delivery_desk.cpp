#include "service/delivery_desk.hpp"

#include "base/contract.hpp"

#include <algorithm>
#include <utility>

namespace gapless {

delivery_desk::delivery_desk(std::int32_t under_way_max, std::int32_t per_webhook_max)
    : under_way_max_{under_way_max},
      per_webhook_max_{per_webhook_max}
{
    ensure(
        per_webhook_max > 0 && per_webhook_max <= under_way_max, "every webhook may have a delivery"
    );
}

bool delivery_desk::begin(webhook_lane const& lane)
{
    if (std::ranges::find(ended_, lane, &delivery_report::lane) != ended_.end())
        return false;
    return under_way_.insert(lane).second;
}

void delivery_desk::end(delivery_report report)
{
    if (under_way_.erase(report.lane) > 0)
        ended_.push_back(std::move(report));
}

void delivery_desk::noted(std::size_t count)
{
    ensure(count <= ended_.size(), "what was noted had ended");
    ended_.erase(ended_.begin(), ended_.begin() + static_cast<std::ptrdiff_t>(count));
}

std::vector<webhook_lane> delivery_desk::busy() const
{
    return {under_way_.begin(), under_way_.end()};
}

delivery_limits delivery_desk::room() const noexcept
{
    auto const taken = static_cast<std::int32_t>(under_way_.size());
    return {.due_max = std::max(0, under_way_max_ - taken), .per_webhook_max = per_webhook_max_};
}

}  // namespace gapless
