#pragma once

#include <cstdint>
#include <map>
#include <set>

namespace gapless {

/// The totals of an outage for one series, until everything of it is settled.
struct outage_sums
{
    std::int64_t issued{};          // numbers drawn and settled
    std::int64_t returned{};        // numbers of leases returned since
    std::int64_t answered_twice{};  // keys that the database knew as spent
    std::int64_t in_doubt{};        // requests answered outcome_unknown
    std::set<std::int32_t> owners;  // of the drawn answers
};

using outages_by_series = std::map<std::int32_t, outage_sums>;

}  // namespace gapless
