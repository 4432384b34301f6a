#include "http/server_state.hpp"

#include <fmt/format.h>
#include <random>

namespace gapless {

std::string to_request_id(std::uint64_t number)
{
    static auto const start = std::random_device{}();
    return fmt::format("{:08x}-{}", start, number);
}

}  // namespace gapless
