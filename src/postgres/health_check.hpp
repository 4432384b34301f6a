#pragma once

#include <string>
#include <vector>

namespace gapless {

/// How bad it is when a check of the database's server is not fine.
enum class health_severity
{
    info = 1,  // nothing to be alarmed about
    warning,   // will hurt some day
    risk,      // an acknowledged number can be lost: nothing is issued unless the risk is accepted
    stop,      // nothing can be issued, whatever is accepted
};

/// One thing an operator has to see to on the database's server.
struct health_check
{
    std::string name;  // the setting's, or what was counted; a word for programs
    health_severity severity{};
    bool fine{};
    std::string value;   // as the server says it
    std::string advice;  // why it matters and what to set

    friend bool operator==(health_check const&, health_check const&) = default;
};

char const* name_of(health_severity severity) noexcept;

/// The severity of that name. Broken promise when there is none.
health_severity to_health_severity(std::string const& name);

/// "fsync is off: …", one sentence for people.
std::string to_text(health_check const& check);

/// Those that are not fine, in their order.
std::vector<health_check> not_fine(std::vector<health_check> const& checks);

/// Why nothing may be issued with these checks, in words; empty when it may. `accept_risk`: the
/// operator answers for what a crash of the server can lose.
std::string obstacle_in(std::vector<health_check> const& checks, bool accept_risk);

}  // namespace gapless
