#pragma once

#include "domain/audit_record.hpp"
#include "store/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gapless {

/// Which acts are wanted; none: any.
struct audit_page
{
    std::optional<std::string> actor{};
    std::optional<std::string> subject{};
    std::optional<database_time> from{};  // both ends included
    std::optional<database_time> to{};
    std::optional<std::int64_t> before{};  // those with lower ids
    std::int32_t limit{1'000};
};

/// Acts, the newest first. Refuses with unauthenticated, forbidden. One round trip inside the
/// caller's transaction; blocks.
std::vector<audit_record> read_audit(pqxx::transaction_base& transaction, audit_page const& page);

}  // namespace gapless
