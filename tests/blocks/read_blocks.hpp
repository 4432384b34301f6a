#pragma once

#include "blocks/block_file.hpp"

#include <string>
#include <string_view>

namespace gapless::test {

/// "100-200 300-400", or the first fault as it is shown to people.
inline std::string text(block_file const& file)
{
    if (!file.faults.empty())
        return to_text(file.faults.front(), "f.csv");
    std::string line;
    for (auto const& block : file.blocks)
        line += (line.empty() ? "" : " ") + std::to_string(block.first) + '-' +
                std::to_string(block.last);
    return line;
}

inline std::string read(std::string_view bytes)
{
    return text(read_block_file(bytes));
}

}  // namespace gapless::test
