#pragma once

#include "webhooks/delivery.hpp"

#include <cstdint>
#include <set>
#include <vector>

namespace gapless {

/// The sender's deliveries under way, and the results not yet recorded in the database. A webhook
/// is busy from the start of its delivery until the result is recorded, so its notices are sent in
/// order. Pure.
class pending_deliveries
{
public:
    /// How many deliveries may be under way.
    explicit pending_deliveries(std::int32_t under_way_max) noexcept : under_way_max_{under_way_max}
    {
    }

    /// Begins a delivery. Returns false if one of its webhook is under way or not recorded yet.
    bool begin(std::int32_t webhook_id);

    /// Takes the result of a delivery. Ignores one that was not begun.
    void end(delivery_report report);

    /// Results to record, in the order in which deliveries ended.
    std::vector<delivery_report> const& ended() const noexcept { return ended_; }

    /// The results of these webhooks were recorded: they are free.
    void noted(std::vector<std::int32_t> const& webhook_ids);

    /// The webhooks with a delivery under way or a result to record, each once.
    std::vector<std::int32_t> busy() const;

    /// How many more may begin now.
    std::int32_t room() const noexcept;

private:
    std::int32_t under_way_max_;
    std::set<std::int32_t> under_way_;
    std::vector<delivery_report> ended_;
};

}  // namespace gapless
