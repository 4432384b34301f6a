#include "reserve/failing_step.hpp"

#if GAPLESS_FAILPOINTS
#include "base/failpoint.hpp"
#endif

namespace gapless {

void pass_step([[maybe_unused]] std::string_view step)
{
#if GAPLESS_FAILPOINTS
    pass_failpoint(step);
#endif
}

}  // namespace gapless
