#pragma once

#include <cstdint>
#include <string_view>

namespace gapless {

/// A request that the server cannot or will not read to its end. It gets one answer; then the
/// connection is closed, because where the next request begins is unknown.
struct fault
{
    int status{};             // 400, 408, 413, 414, 417 or 431
    std::string_view detail;  // a sentence; lives as long as the program
    std::uint64_t most{};     // a limit, which the sentence has in place of {}
};

}  // namespace gapless
