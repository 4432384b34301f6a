#pragma once

#include "record/operation.hpp"

namespace gapless::carriers {

/// Reading and changing carriers. They are created with their first series.
extern feature const administration;

}  // namespace gapless::carriers
