#include "webhooks/pending_deliveries.hpp"

#include "base/contract.hpp"

#include <algorithm>
#include <utility>

namespace gapless {

bool pending_deliveries::begin(std::int32_t webhook_id)
{
    if (std::ranges::find(ended_, webhook_id, &delivery_report::webhook_id) != ended_.end())
        return false;
    return under_way_.insert(webhook_id).second;
}

void pending_deliveries::end(delivery_report report)
{
    if (under_way_.erase(report.webhook_id) > 0)
        ended_.push_back(std::move(report));
}

void pending_deliveries::noted(std::size_t count)
{
    ensure(count <= ended_.size(), "what was noted had ended");
    ended_.erase(ended_.begin(), ended_.begin() + static_cast<std::ptrdiff_t>(count));
}

std::vector<std::int32_t> pending_deliveries::busy() const
{
    return {under_way_.begin(), under_way_.end()};
}

std::int32_t pending_deliveries::room() const noexcept
{
    return std::max(0, under_way_max_ - static_cast<std::int32_t>(under_way_.size()));
}

}  // namespace gapless
