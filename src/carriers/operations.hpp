#pragma once

#include "record/operation.hpp"

namespace gapless::carriers {

/// What is read and set of carriers. Series create them.
extern feature const administration;

}  // namespace gapless::carriers
