#include "operation/operation.hpp"
#include "webhooks/operations.hpp"

namespace gapless {

std::span<feature const* const> features() noexcept
{
    static constexpr feature const* all[]{&webhooks::administration};
    return all;
}

}  // namespace gapless
