#pragma once

#include "app/service_figures.hpp"
#include "postgres/health_check.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// What readiness depends on, part by part.
struct readiness
{
    bool database{};       // it answers
    bool schema{};         // is this program's
    bool pooled{};         // a pooler in between loses what sessions set
    bool primary{};        // not in recovery
    bool lane{};           // an issue connection is up; no COMMIT waits for a standby
    bool fenced{};         // no number may be issued: it could be issued twice
    bool safe{};           // no server setting forbids issuing
    bool stale{};          // too old to count
    bool accept_risk{};    // an operator accepts settings that can lose numbers
    std::int32_t epoch{};  // 0: unknown
    std::string detail;    // what is wrong and the way out; empty when ready
    std::vector<health_check> warnings{};  // about the server

    bool ready() const noexcept
    {
        return database && schema && primary && lane && !fenced && safe && !stale;
    }
};

/// The status of the service, from memory.
class status_service
{
public:
    virtual ~status_service() = default;

    /// What the database reported at most five seconds ago, or stale, and the current state of the
    /// issue connections.
    virtual readiness known_readiness() const = 0;

    /// True if numbers of this series would come from a reserve in an outage of the database.
    virtual bool reserve_serves(std::string_view series) const = 0;

    virtual service_figures figures() const = 0;
};

}  // namespace gapless
