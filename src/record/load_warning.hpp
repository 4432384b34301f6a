#pragma once

#include "base/refusal.hpp"
#include "record/describe.hpp"

/// Records for the warnings of loads.
namespace gapless {

GAPLESS_RECORD(
    load_warning,
    (),
    (code, "What is unusual."),
    (detail, "The same in words: the number, and what earlier blocks looked like.")
)

}  // namespace gapless
