#pragma once

#include "issuing/issuance.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gapless {

/// Something that happened, told once to people and programs: a rollover, a series that runs low, a
/// fence. Numbered when it was published, so that nobody who reads by seq misses one.
struct notice_record
{
    std::string id;      // a UUID; a database that was restored never gives it again
    std::int64_t seq{};  // 1, 2, 3 … as they were published; 0: none, it is a webhook's test
    std::string kind;    // one of notice_kinds, or notice_of_test
    std::optional<std::string> series{};  // none: it concerns no one series
    database_time at{};
    std::int32_t epoch{};
    std::optional<std::string> environment{};  // none: nobody named it
    std::string data{"{}"};                    // JSON, its members as the kind has them

    // Days of the database's time zone, for the words.
    std::chrono::sys_days day{};                        // of `at`
    std::optional<std::chrono::sys_days> expires_on{};  // of token.expires
};

/// Every kind of notice that is published, as docs/reference/http.md explains them.
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

/// The kind of what a webhook is tested with; it is not published.
inline constexpr std::string_view notice_of_test{"webhook.test"};

/// True for one of notice_kinds.
bool is_notice_kind(std::string_view name) noexcept;

/// What to answer to anything else: it names the value and all kinds.
std::string unknown_notice_kind(std::string_view name);

/// Which notices can be read, by seq.
struct notice_bounds
{
    std::int64_t oldest{1};  // that can still be read; last + 1 where there is none
    std::int64_t last{};     // that was published; 0: none yet

    /// Whether all that was published after `seq` can be read: it is neither too old nor of another
    /// database. 0 is the beginning, whatever that is by now.
    bool reach_behind(std::int64_t seq) const noexcept
    {
        return seq == 0 || (seq >= oldest - 1 && seq <= last);
    }
};

}  // namespace gapless
