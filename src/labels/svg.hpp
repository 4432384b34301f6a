#pragma once

#include "labels/picture.hpp"

#include <string>

namespace gapless {

/// An SVG document: black on white, one module is one unit, its size in millimetres as printed.
std::string to_svg(drawing const& picture, print_size const& size);

}  // namespace gapless
