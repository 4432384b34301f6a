#pragma once

#include "support/history.hpp"
#include "support/ledger_dump.hpp"

#include <string>
#include <vector>

namespace gapless::test {

/// Holds what clients saw against what the database has in the end, and returns every broken
/// promise as a sentence; an empty list means that none was found. The rules:
///
/// 1. A number has one key, an ordinal is given once, and a number stands inside its block.
/// 2. All answers to one key are identical.
/// 3. Every acknowledged issuance is in the ledger.
/// 4. Ordinals run 1…N, a block starts only when the one before is full, and blocks are in the
///    state their ledger says.
/// 5. A ledger row belongs to a key that was sent, and was executed by none of the attempts that
///    said that nothing was executed.
/// 6. What was answered before something else was sent has the lower ordinal.
/// 7. A read lies between what was acknowledged before it and what was sent before its end.
/// 8. Epochs never go back.
/// 9. An issuance is all or nothing.
/// 10. After the last fault was healed every series issues again.
///
/// Expects that every key with an unknown outcome was repeated until it was definite. Knows of no
/// holds.
std::vector<std::string> check_history(recorded_history const& seen, ledger_dump const& ledger);

/// The same for a history as it was recorded. "clean", or the first findings and how many there
/// are.
std::string checked(history const& seen, ledger_dump const& ledger);

}  // namespace gapless::test
