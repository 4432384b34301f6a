#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gapless {

/// One request to a receiver: a notice, or a test.
struct delivery
{
    std::int32_t webhook_id{};
    int attempt{1};  // 1: the first
    std::string notice_id;
    std::string url;
    std::vector<std::string> keys;  // one or two for the signature, the newest first
    std::string authorization{};    // of the header field; empty: none
    std::string body;               // JSON
};

/// The result of an attempt.
struct delivery_report
{
    std::int32_t webhook_id{};
    std::string notice_id;
    int attempt{};
    std::string error;             // for an administrator; empty: delivered
    std::int32_t pause_seconds{};  // requested by the receiver; 0: none
    bool gone{};                   // the receiver wants no more deliveries
    std::int32_t status{};         // HTTP status; 0: no answer
};

}  // namespace gapless
