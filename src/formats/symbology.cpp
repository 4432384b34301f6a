#include "formats/symbology.hpp"

#include <algorithm>
#include <array>

namespace gapless {
namespace {

// In the order of the enum, which starts at 1.
constexpr std::array<std::string_view, 9> names{
    "code128", "gs1-128", "itf", "itf14", "identcode", "leitcode", "codabar", "dpd", "datamatrix"};

}  // namespace

std::optional<symbology> find_symbology(std::string_view name) noexcept
{
    auto const found = std::ranges::find(names, name);
    if (found == names.end())
        return std::nullopt;
    return static_cast<symbology>(found - names.begin() + 1);
}

std::span<std::string_view const> symbology_names() noexcept
{
    return names;
}

}  // namespace gapless
