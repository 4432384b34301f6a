#pragma once

#include <cstdint>
#include <map>
#include <set>

namespace gapless {

/// What an outage came to, of one series, until everything of it is settled.
struct outage_sums
{
    std::int64_t issued{};          // numbers that were drawn and are settled
    std::int64_t returned{};        // numbers of leases that came back since
    std::int64_t answered_twice{};  // keys that the database had spent
    std::int64_t in_doubt{};        // requests that were answered outcome_unknown
    std::set<std::int32_t> owners;  // of what was drawn
};

using outages_by_series = std::map<std::int32_t, outage_sums>;

}  // namespace gapless
