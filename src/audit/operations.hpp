#pragma once

#include "audit/act.hpp"
#include "operation/operation.hpp"

namespace gapless::audit {

/// What is asked of the audit log.
extern feature const administration;

}  // namespace gapless::audit
