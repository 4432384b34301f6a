#pragma once

#include "domain/lease.hpp"

#include <cstdint>
#include <string>

namespace gapless {

/// A lease, and what became of its numbers: count = held + settled + returned + written_off.
struct listed_lease
{
    std::int64_t place{};  // where it stands in a list: they are listed by it, upwards
    lease_id lease;
    std::string series;
    lease_id instance;  // that draws on it
    std::string host;   // of the instance
    lease_status status{};
    database_time contact;  // when the instance was heard of last
    database_time granted_at;
    database_time draw_until;  // from then on nothing of it is drawn
    std::string first;         // number
    std::string last;          // number
    std::int64_t count{};
    std::int64_t held{};     // on lease now
    std::int64_t settled{};  // were answered, and are in the ledger
    std::int64_t returned{};
    std::int64_t written_off{};  // and not settled since
    bool overdue{};              // draw_until is over, and numbers are still held
};

}  // namespace gapless
