#pragma once

#include "domain/issuance.hpp"
#include "domain/notice.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gapless {

/// What an administrator wants to be called for.
struct webhook_draft
{
    std::string url;                                 // as read_webhook_url has it
    std::optional<std::vector<std::string>> kinds;   // of notices; none: every kind
    std::optional<std::vector<std::string>> series;  // none: every series, and what is of none
};

/// A webhook as the database knows it. Its secret is shown when it is made, and never again.
struct webhook_record
{
    std::int32_t webhook_id{};
    std::string url;
    std::optional<std::vector<std::string>> kinds;
    std::optional<std::vector<std::string>> series;
    std::string state;       // active; failing: repeats; dead: waits for a retry
    std::int64_t pending{};  // notices that are to be delivered
    std::optional<std::string> last_error;
    std::optional<database_time> next_attempt_at;    // none: nothing waits, or it is dead
    std::optional<database_time> last_delivered_at;  // none: nothing was
    std::optional<database_time> old_secret_until;   // the secret before signs as well; none: it
                                                     // does not
    std::optional<std::string> environment;          // it delivers in this one; none: unnamed
    database_time created_at;
    std::string created_by;
};

/// A webhook with its new secret, which is nowhere else.
struct secret_webhook
{
    webhook_record record;
    std::string secret;  // "whsec_…"; empty: not to be shown
};

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
