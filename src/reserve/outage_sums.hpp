#pragma once

#include "reserve/lease.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace gapless {

/// The totals of an outage for one series, until everything of it is settled.
struct outage_sums
{
    std::int64_t issued{};                 // numbers drawn and settled
    std::int64_t returned{};               // numbers of leases returned since
    std::int64_t answered_twice{};         // keys that the database knew as spent
    std::int64_t in_doubt{};               // requests answered outcome_unknown
    std::set<std::int32_t> owners;         // of the drawn answers
    std::optional<database_time> since{};  // the first of these answers

    /// Counts an answer that is settled.
    void settle(lease_left const& answer)
    {
        issued += answer.count;
        since = std::min(since.value_or(answer.answered_at), answer.answered_at);
    }
};

using outages_by_series = std::map<std::int32_t, outage_sums>;

}  // namespace gapless
