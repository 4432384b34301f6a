#include "http/server_state.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <random>

namespace gapless {

void write_request_id(std::uint64_t number, std::string& id)
{
    static auto const start = fmt::format("{:08x}-", std::random_device{}());
    // Of fixed width, so that a problem has the same length for HEAD as for GET.
    std::array<char, 16> digits{};
    auto const end = std::to_chars(digits.begin(), digits.end(), number, 16).ptr;
    auto const count = static_cast<std::size_t>(end - digits.begin());
    id = start;
    id.append(digits.size() / 2 - std::min(count, digits.size() / 2), '0');
    id.append(digits.data(), count);
}

}  // namespace gapless
