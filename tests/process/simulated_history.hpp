#pragma once

#include "support/history.hpp"
#include "support/ledger_dump.hpp"

#include <random>

namespace gapless::test {

/// A history and its ledger as a sound service would have left them: two clients on two series with
/// small blocks; some answers lost and repeated, some requests refused, some replayed, some unknown
/// for ever, reads in between, an epoch opened half way.
struct simulated_history
{
    recorded_history seen;
    ledger_dump ledger;
};

simulated_history simulate_history(std::mt19937& dice);

}  // namespace gapless::test
