#pragma once

#include "base/refusal.hpp"
#include "issuing/issuance.hpp"

#include <string>

namespace gapless::test {

/// One line a reader can check by eye: "103-104 900-902".
inline std::string text(issuance const& issued)
{
    std::string line;
    for (auto const& range : issued.ranges)
    {
        if (!line.empty())
            line += ' ';
        line += std::to_string(range.serial) + '-' + std::to_string(range.last_serial());
    }
    return line;
}

/// The line of the value, or "refused: series-exhausted".
template <class T>
std::string text(result<T> const& outcome)
{
    if (outcome.has_error())
        return "refused: " + std::string{name_of(outcome.error().kind)};
    return text(*outcome);
}

}  // namespace gapless::test
