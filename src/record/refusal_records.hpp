#pragma once

#include "base/refusal.hpp"
#include "record/describe.hpp"

/// Records for what refusals list.
namespace gapless {

GAPLESS_RECORD(
    load_warning,
    (),
    (code, "What is unusual."),
    (detail, "The same in words: the number, and what earlier blocks looked like.")
)

GAPLESS_RECORD(
    gone_numbers,
    (),
    (first, "Its first number."),
    (last, "Its last number."),
    (count, "How many numbers it has."),
    (state, "released, expired, reused or voided.")
)

}  // namespace gapless
