#pragma once

#include <string>
#include <vector>

namespace gapless {

/// How bad it is if a check of the database's server fails.
enum class health_severity
{
    info = 1,  // no cause for alarm
    warning,   // will hurt eventually
    risk,      // an acknowledged number can be lost: nothing is issued unless the risk is accepted
    stop,      // nothing can be issued, even if risk is accepted
};

/// One aspect of the database's server that an operator should know about.
struct health_check
{
    std::string name;  // of the setting or what was counted, for programs
    health_severity severity{};
    bool fine{};
    std::string value;   // as the server reports it
    std::string advice;  // why it matters and what to set

    friend bool operator==(health_check const&, health_check const&) = default;
};

char const* name_of(health_severity severity) noexcept;

/// The severity of that name. Breaks a promise if there is none.
health_severity to_health_severity(std::string const& name);

/// "fsync is off: …", one sentence for people.
std::string to_text(health_check const& check);

/// The checks that failed, in order.
std::vector<health_check> not_fine(std::vector<health_check> const& checks);

/// Why nothing may be issued with these checks, in words; empty: it may. `accept_risk`: the
/// operator accepts what a crash of the server can lose.
std::string obstacle_in(std::vector<health_check> const& checks, bool accept_risk);

}  // namespace gapless
