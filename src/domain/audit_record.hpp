#pragma once

#include "domain/issuance.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace gapless {

/// One act in the audit log.
struct audit_record
{
    std::int64_t audit_id{};
    database_time at{};
    std::string actor;                      // "token:office", "cli:anna", "sql:anna"
    std::string role;                       // of the database, which was logged in
    std::string action;                     // "block.load"
    std::string subject;                    // what it was done to
    std::optional<std::string> before;      // JSON; none: there was nothing
    std::optional<std::string> after;       // JSON; none: there is nothing
    std::optional<std::int32_t> token_id;   // which of the actor's; none: no token acted
    std::optional<std::string> request_id;  // as in the log of the service; none: not over HTTP
};

}  // namespace gapless
