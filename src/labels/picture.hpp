#pragma once

#include "labels/symbol_data.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// The resolutions of label printers.
inline constexpr std::array<int, 3> dots_per_inch_known{203, 300, 600};

inline constexpr int module_dots_max = 10;
inline constexpr int height_mm_min = 5;
inline constexpr int height_mm_max = 50;

/// The size of a barcode. A module is the narrowest bar, or one square of a matrix.
struct print_size
{
    int dots_per_inch{203};  // one of dots_per_inch_known
    int module_dots{3};      // 1..module_dots_max
    int height_mm{25};       // of the bars, height_mm_min..height_mm_max; a matrix has its own

    double module_mm() const noexcept { return module_dots * 25.4 / dots_per_inch; }
};

/// The module size closest to 0.375 mm, which is three dots of the usual printer.
int usual_module_dots(int dots_per_inch) noexcept;

/// Millimetres in whole dots.
int to_dots(int millimetres, int dots_per_inch) noexcept;

/// A dark rectangle; x to the right, y down, from the top left corner.
struct dark_bar
{
    float x{};
    float y{};
    float width{};
    float height{};
};

/// A barcode as shapes, quiet zones included. All lengths in modules.
struct drawing
{
    float width{};
    float height{};
    std::vector<dark_bar> bars;
    std::string text;  // below the bars, centered; empty: none
    float text_x{};    // its middle
    float text_y{};    // its base line
    float text_height{};
};

/// Draws a barcode with libzint and `text` below it (none below a matrix). Refuses whatever the
/// library rejects or warns about, and a text wider than the symbol. Does not block: 0.02 ms (CPU
/// time, 2026-11-21, mean of 100 pictures of 20 to 34 characters with to_svg, -O2, one of two cores
/// of a shared virtual machine).
format_result<drawing> draw_barcode(
    symbol_data const& symbol, std::string_view text, print_size const& size
);

}  // namespace gapless
