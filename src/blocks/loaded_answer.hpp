#pragma once

#include "blocks/block_cases.hpp"
#include "postgres/answer_store.hpp"

namespace gapless {

/// The answer to a load: 202 with the proposal, 201 with what was loaded, 200 with what would be;
/// always with "warnings". `as_list`: {"items":[…]} instead of the one block.
kept_answer to_loaded_answer(cases::loaded_blocks done, bool as_list);

}  // namespace gapless
