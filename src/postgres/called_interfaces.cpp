#include "postgres/interface.hpp"

namespace gapless {

// In its own file, so that a test can link a second version of the programs.
interface_range called_interfaces() noexcept
{
    return {.oldest = 1, .newest = 3};
}

}  // namespace gapless
