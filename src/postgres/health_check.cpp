#include "postgres/health_check.hpp"

#include "base/contract.hpp"

#include <algorithm>
#include <iterator>

namespace gapless {

char const* name_of(health_severity severity) noexcept
{
    switch (severity)
    {
    case health_severity::info: return "info";
    case health_severity::warning: return "warning";
    case health_severity::risk: return "risk";
    case health_severity::stop: return "stop";
    }
    return "";
}

health_severity to_health_severity(std::string const& name)
{
    using enum health_severity;
    for (auto const one : {info, warning, risk, stop})
        if (name == name_of(one))
            return one;
    ensure(false, "SQL names a severity of health_severity");
    return stop;
}

std::string to_text(health_check const& check)
{
    return check.name + " is " + (check.value.empty() ? "empty" : check.value) + ": " +
           check.advice;
}

std::vector<health_check> not_fine(std::vector<health_check> const& checks)
{
    std::vector<health_check> found;
    std::ranges::copy_if(checks, std::back_inserter(found), [](auto const& one) {
        return !one.fine;
    });
    return found;
}

std::string obstacle_in(std::vector<health_check> const& checks, bool accept_risk)
{
    for (auto const& one : checks)
    {
        if (one.fine)
            continue;
        if (one.severity == health_severity::stop)
            return to_text(one);
        if (one.severity == health_severity::risk && !accept_risk)
            return to_text(one) + " (or accept the risk: --accept-risk)";
    }
    return {};
}

}  // namespace gapless
