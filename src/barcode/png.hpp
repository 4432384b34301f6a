#pragma once

#include "barcode/picture.hpp"

#include <string>

namespace gapless {

/// A PNG file, one bit per dot, that knows its resolution. Written by hand, since libpng reports
/// errors by longjmp, and four chunks are all there is.
std::string to_png(dot_picture const& picture, print_size const& size);

}  // namespace gapless
