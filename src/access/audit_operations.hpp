#pragma once

#include "access/act.hpp"
#include "record/operation.hpp"

namespace gapless::audit {

/// Queries of the audit log.
extern feature const administration;

}  // namespace gapless::audit
