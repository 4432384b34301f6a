#pragma once

#include "holds/open_hold.hpp"
#include "operation/operation.hpp"

namespace gapless::holds {

/// What is asked about holds. They are settled by hand-written code: cases/numbers.hpp.
extern feature const administration;

}  // namespace gapless::holds
