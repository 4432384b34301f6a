#pragma once

#include "record/describe.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gapless {

/// A broken promise found by verify.
struct finding
{
    std::string series;
    std::string at;    // "ordinal 17", "block 3", "counter"
    std::string what;  // a sentence
};

GAPLESS_RECORD(
    finding,
    (),
    (series, "Name of the series; \"*\": what all series share."),
    (at, "Where: \"ordinal 17\", \"block 3\", \"counter\"."),
    (what, "What is wrong, in a sentence.")
)

/// What verify checked in one series.
struct verification
{
    std::string series;
    std::int64_t ledger_rows{};
    std::string numbers;  // decimal
    std::int64_t blocks{};
    std::vector<finding> findings;  // empty: gapless
};

}  // namespace gapless
