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
    std::string since;         // when its transaction began; empty: the service may not see it
    bool waits_for_standby{};  // it is in its COMMIT; false also where the service may not see it
};

/// Who has locked a series, the oldest transaction first. Empty: nobody any more.
std::vector<series_blocker> read_blockers(
    pqxx::transaction_base& transaction, std::int32_t series_id
);

}  // namespace gapless
