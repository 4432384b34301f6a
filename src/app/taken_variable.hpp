#pragma once

#include <cstdlib>
#include <string>

namespace gapless {

/// What a variable of the environment says; it leaves it, so that no program started later takes it
/// for its own. "": it is not there. Call it before there are threads.
inline std::string take_variable(char const* name)
{
    auto const* text = std::getenv(name);
    std::string found{text != nullptr ? text : ""};
    ::unsetenv(name);
    return found;
}

}  // namespace gapless
