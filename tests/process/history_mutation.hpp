#pragma once

#include "simulated_history.hpp"

#include <functional>

namespace gapless::test {

/// So many histories are simulated for each promise of the checker.
inline constexpr unsigned histories = 100;

/// Breaks a sound history; false where it does not apply to this one.
using mutation = std::function<bool(simulated_history&, std::mt19937&)>;

/// Breaks every simulated history, and checks that a finding of that rule says so.
void check_caught(int rule, mutation const& change);

/// An answer with numbers in one piece, whose key was tried once.
attempt& any_answer(simulated_history& history, std::mt19937& dice);

/// Where the ledger holds the numbers of that answer.
ledger_range& row_of(simulated_history& history, attempt const& answer);

/// Two such answers of one series and count, the first of which was there before the second was
/// sent. False: there are none.
bool pair_in_order(simulated_history& history, attempt*& first, attempt*& second);

}  // namespace gapless::test
