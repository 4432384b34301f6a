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

void pending_deliveries::noted(std::vector<std::int32_t> const& webhook_ids)
{
    auto const noted = std::erase_if(ended_, [&](auto const& report) {
        return std::ranges::find(webhook_ids, report.webhook_id) != webhook_ids.end();
    });
    ensure(noted == webhook_ids.size(), "what was noted had ended");
}

std::vector<std::int32_t> pending_deliveries::busy() const
{
    std::vector<std::int32_t> all{under_way_.begin(), under_way_.end()};
    for (auto const& report : ended_)
        all.push_back(report.webhook_id);
    return all;
}

std::int32_t pending_deliveries::room() const noexcept
{
    return std::max(0, under_way_max_ - static_cast<std::int32_t>(under_way_.size()));
}

}  // namespace gapless
