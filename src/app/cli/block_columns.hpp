#pragma once

#include "app/cli/output.hpp"
#include "app/cli/verb.hpp"

#include <array>

namespace gapless::cli {

/// How blocks are shown.
inline constexpr std::array block_columns{
    column{.key = "id", .number = true},
    column{.key = "series"},
    column{.key = "first", .number = true},
    column{.key = "last", .number = true},
    column{.key = "count", .number = true},
    column{.key = "elsewhere", .number = true, .in_table = false},
    column{.key = "issued", .number = true},
    column{.key = "remaining", .number = true},
    column{.key = "next", .number = true, .in_table = false},
    column{.key = "state"},
    column{.key = "reference"},
    column{.key = "valid_until"},
    column{.key = "position", .number = true, .in_table = false},
    column{.key = "cycle", .number = true, .in_table = false},
    column{.key = "closed_reason", .in_table = false},
    column{.key = "recalled_at", .in_table = false},
    column{.key = "loaded_by", .in_table = false},
    column{.key = "loaded_at", .in_table = false},
};

/// The verb `load`, which has a file of its own.
verb block_load();

}  // namespace gapless::cli
