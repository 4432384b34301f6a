#pragma once

#include "domain/webhook.hpp"
#include "store/delivery_store.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace gapless {

/// What the sender of webhooks has under way, and what it has not yet noted in the database. A lane
/// is busy from the moment its delivery begins until how it ended was noted, so nothing of it is
/// sent before its earlier one. Pure.
class delivery_desk
{
public:
    /// How many deliveries may be under way, and how many of them to one webhook.
    delivery_desk(std::int32_t under_way_max, std::int32_t per_webhook_max);

    /// A delivery begins. False: one of its lane is under way, or not noted yet; it must not.
    bool begin(webhook_lane const& lane);

    /// How one ended. What was not begun is not noted.
    void end(delivery_report report);

    /// What has ended and is to be noted, in the order it ended.
    std::vector<delivery_report> const& ended() const noexcept { return ended_; }

    /// The first so many of them were noted: their lanes are free.
    void noted(std::size_t count);

    /// The lanes with a delivery under way; those of ended() are noted before more is asked for.
    std::vector<webhook_lane> busy() const;

    /// How much more may begin now.
    delivery_limits room() const noexcept;

private:
    std::int32_t under_way_max_;
    std::int32_t per_webhook_max_;
    std::set<webhook_lane> under_way_;
    std::vector<delivery_report> ended_;
};

}  // namespace gapless
