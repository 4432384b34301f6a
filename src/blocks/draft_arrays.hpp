#pragma once

#include "blocks/block_draft.hpp"

#include <span>
#include <string>

namespace gapless {

/// Blocks to load, as array parameters in PostgreSQL's notation: element k of each is block k.
struct draft_arrays
{
    std::string firsts;         // bigint[]
    std::string lasts;          // bigint[]
    std::string issued_untils;  // bigint[]
    std::string references;     // text[]
    std::string valid_untils;   // text[], for gapless.ends_of
};

draft_arrays to_arrays(std::span<block_draft const> drafts);

}  // namespace gapless
