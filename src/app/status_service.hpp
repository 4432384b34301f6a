#pragma once

#include "app/service_figures.hpp"
#include "postgres/health_check.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// What readiness depends on, each part told apart.
struct readiness
{
    bool database{};                       // answers
    bool schema{};                         // is this program's
    bool pooled{};                         // a pooler in between loses what sessions set
    bool primary{};                        // not in recovery
    bool lane{};                           // the issue connection stands
    bool fenced{};                         // no number may leave: it could leave a second time
    bool safe{};                           // no setting of the server forbids issuing
    bool stale{};                          // too long ago to count
    bool accept_risk{};                    // such a setting does not count: an operator said so
    std::int32_t epoch{};                  // 0: unknown
    std::string detail;                    // what is wrong and the way out; empty when ready
    std::vector<health_check> warnings{};  // what to see to on the server

    bool ready() const noexcept
    {
        return database && schema && primary && lane && !fenced && safe && !stale;
    }
};

/// How the service is doing, from memory.
class status_service
{
public:
    virtual ~status_service() = default;

    /// What the database said at most five seconds ago, or stale, and how the issue connection
    /// stands at this moment.
    virtual readiness known_readiness() const = 0;

    /// True if numbers of this series would come from a reserve in an outage of the database.
    virtual bool reserve_serves(std::string_view series) const = 0;

    virtual service_figures figures() const = 0;
};

}  // namespace gapless
