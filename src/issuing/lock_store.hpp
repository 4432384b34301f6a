#pragma once

#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gapless {

/// A session whose transaction has locked a series.
struct series_blocker
{
    std::int32_t pid{};
    std::string role;
    std::string application;
    std::string since;         // when its transaction began; empty: not visible to us
    bool waits_for_standby{};  // it is in its COMMIT; false also where we may not see that
};

/// Who has locked a series, the oldest transaction first. Empty: nobody any more.
std::vector<series_blocker> read_blockers(
    pqxx::transaction_base& transaction, std::int32_t series_id
);

}  // namespace gapless
