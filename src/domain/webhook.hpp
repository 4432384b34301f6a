#pragma once

#include "domain/notice.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace gapless {

/// What is delivered in order: one notice after the other, each when the one before has arrived.
struct webhook_lane
{
    std::int32_t webhook_id{};
    std::int32_t series_id{};  // 0: notices of no series; less: lanes of the database's own

    friend auto operator<=>(webhook_lane const&, webhook_lane const&) = default;
};

/// A notice that is to be delivered now.
struct due_delivery
{
    webhook_lane lane;
    std::string url;
    std::vector<std::string> keys;  // one or two that sign, the newest first
    int attempt{1};                 // 1: the first
    notice_record notice;
};

/// How a delivery ended.
struct delivery_report
{
    webhook_lane lane;
    std::string notice_id;
    std::string error;  // for an administrator; empty: delivered
};

}  // namespace gapless
