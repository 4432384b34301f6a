#pragma once

#include "holds/open_hold.hpp"
#include "record/operation.hpp"

namespace gapless::holds {

/// What is asked about holds. They are settled by hand-written code: numbers/number_cases.hpp.
extern feature const administration;

}  // namespace gapless::holds
