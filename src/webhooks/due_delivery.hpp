#pragma once

#include "notices/notice.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gapless {

/// A notice, or a test, that is to be delivered now.
struct due_delivery
{
    std::int32_t webhook_id{};
    int attempt{1};  // 1: the first
    std::string url;
    std::vector<std::string> keys;  // one or two that sign, the newest first
    std::string authorization;      // of the header field; empty: none
    bool missed{};                  // notices before it are gone, and were never delivered
    notice_record notice;
};

/// How an attempt ended.
struct delivery_report
{
    std::int32_t webhook_id{};
    std::string notice_id;
    int attempt{};
    std::string error;             // for an administrator; empty: delivered
    std::int32_t pause_seconds{};  // that the receiver asked for; 0: it did not
    bool gone{};                   // it wants nothing any more
    std::int32_t status{};         // of HTTP; 0: there was no answer
};

}  // namespace gapless
