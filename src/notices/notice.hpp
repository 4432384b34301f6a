#pragma once

#include "issuing/issuance.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gapless {

/// An event that is reported once to people and programs: a rollover, a series that runs low, a
/// fence. Numbered when published, so that a reader that continues from a seq misses none.
struct notice_record
{
    std::string id;      // a UUID; a restored database never issues it again
    std::int64_t seq{};  // 1, 2, 3 … in the order of publication; 0: a webhook's test
    std::string kind;    // one of notice_kinds, or notice_of_test
    std::optional<std::string> series{};  // none: concerns no single series
    database_time at{};
    std::int32_t epoch{};
    std::optional<std::string> environment{};  // none: not set
    std::string data{"{}"};                    // JSON, with the members of the kind

    // Days in the database's time zone, for the texts.
    std::chrono::sys_days day{};                      // of `at`
    std::optional<std::chrono::sys_days> data_day{};  // of the moment that `data` has, if any
};

/// Every kind of notice, as documented in docs/reference/http.md.
inline constexpr std::array<std::string_view, 16> notice_kinds{
    "block.opened",
    "block.exhausted",
    "block.expired",
    "block.loaded",
    "block.closed",
    "block.recalled",
    "series.no_successor",
    "series.low",
    "series.order_by",
    "series.exhausted",
    "series.paused",
    "fence.raised",
    "verify.finding",
    "token.expires",
    "reserve.settled",
    "lease.overdue"};

/// The kind of a webhook's test; it is not published.
inline constexpr std::string_view notice_of_test{"webhook.test"};

/// True for one of notice_kinds.
bool is_notice_kind(std::string_view name) noexcept;

/// The refusal of anything else: it names the value and all kinds.
std::string unknown_notice_kind(std::string_view name);

/// The range of notices that can be read, by seq.
struct notice_bounds
{
    std::int64_t oldest{1};  // still readable; last + 1 if there are none
    std::int64_t last{};     // published; 0: none yet

    /// Whether everything published after `seq` can be read: it is neither too old nor from another
    /// database. 0 means the beginning, whatever that is by now.
    bool reach_behind(std::int64_t seq) const noexcept
    {
        return seq == 0 || (seq >= oldest - 1 && seq <= last);
    }
};

}  // namespace gapless
