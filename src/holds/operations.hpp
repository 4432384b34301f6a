#pragma once

#include "holds/open_hold.hpp"
#include "record/operation.hpp"

namespace gapless::holds {

/// Queries about holds. Settling is hand-written: numbers/number_cases.hpp.
extern feature const administration;

}  // namespace gapless::holds
