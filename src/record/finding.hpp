#pragma once

#include "domain/records.hpp"
#include "record/describe.hpp"

/// Findings of verifications as records.
namespace gapless {

GAPLESS_RECORD(
    finding,
    (),
    (series, "Name of the series; \"*\": what all series share."),
    (at, "Where: \"ordinal 17\", \"block 3\", \"counter\"."),
    (what, "What is wrong, in a sentence.")
)

}  // namespace gapless
