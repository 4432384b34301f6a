#pragma once

#include "webhooks/due_delivery.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace gapless {

/// What the sender of webhooks has under way, and what it has not yet noted in the database. A
/// webhook is busy from the moment its delivery begins until how it ended was noted, so nothing of
/// it is sent before its earlier one. Pure.
class pending_deliveries
{
public:
    /// How many deliveries may be under way.
    explicit pending_deliveries(std::int32_t under_way_max) noexcept : under_way_max_{under_way_max}
    {
    }

    /// A delivery begins. False: one of its webhook is under way, or not noted yet; it must not.
    bool begin(std::int32_t webhook_id);

    /// How one ended. What was not begun is not noted.
    void end(delivery_report report);

    /// What has ended and is to be noted, in the order it ended.
    std::vector<delivery_report> const& ended() const noexcept { return ended_; }

    /// The first so many of them were noted: their webhooks are free.
    void noted(std::size_t count);

    /// The webhooks with a delivery under way; those of ended() are noted before more is asked for.
    std::vector<std::int32_t> busy() const;

    /// How many more may begin now.
    std::int32_t room() const noexcept;

private:
    std::int32_t under_way_max_;
    std::set<std::int32_t> under_way_;
    std::vector<delivery_report> ended_;
};

}  // namespace gapless
