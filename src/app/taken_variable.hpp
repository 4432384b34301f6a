#pragma once

#include <cstdlib>
#include <string>

namespace gapless {

/// Reads a variable and removes it from the environment, so that no program started later takes it
/// for its own. "": not set. Call it before there are threads.
inline std::string take_variable(char const* name)
{
    auto const* text = std::getenv(name);
    std::string found{text != nullptr ? text : ""};
    ::unsetenv(name);
    return found;
}

}  // namespace gapless
