#pragma once

#include "labels/picture.hpp"
#include "labels/svg.hpp"
#include "labels/symbol_data.hpp"

// The library asks for this until its texts are UTF-8 by default (2.0).
#define ZX_USE_UTF8 1
#include <doctest/doctest.h>

#include <ZXing/ReadBarcode.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace gapless::test {

#if __has_include(<ZXing/ReaderOptions.h>)
using scanner_options = ZXing::ReaderOptions;
#else  // before ZXing 2.2
using scanner_options = ZXing::DecodeHints;
#endif

/// A picture as it comes out of a printer, a byte for each dot.
struct gray_picture
{
    int width{};
    int height{};
    std::vector<std::uint8_t> dots;

    std::uint8_t& at(int x, int y)
    {
        return dots.at(
            static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
            static_cast<std::size_t>(x)
        );
    }
    bool is_dark(int x, int y) { return at(x, y) < 128; }
};

/// Prints the bars of an SVG of ours, which are rectangles.
inline gray_picture print_svg(std::string const& svg, int module_dots = print_size{}.module_dots)
{
    auto const to_dot = [module_dots](float modules) {
        return static_cast<int>(std::lround(modules * static_cast<float>(module_dots)));
    };
    float width{};
    float height{};
    auto const box = svg.find("viewBox");
    REQUIRE(box != std::string::npos);
    REQUIRE(std::sscanf(svg.c_str() + box, "viewBox=\"0 0 %f %f\"", &width, &height) == 2);
    gray_picture picture{to_dot(width), to_dot(height), {}};
    auto const dots = std::int64_t{picture.width} * picture.height;
    picture.dots.assign(static_cast<std::size_t>(dots), 255);
    for (auto mark = svg.find("M", box); mark != std::string::npos; mark = svg.find("M", mark + 1))
    {
        float x{};
        float y{};
        float w{};
        float h{};
        if (std::sscanf(svg.c_str() + mark, "M%f %fh%fv%fh-", &x, &y, &w, &h) != 4)
            break;  // letters of the text
        for (auto row = to_dot(y); row < to_dot(y + h); ++row)
            for (auto column = to_dot(x); column < to_dot(x + w); ++column)
                picture.at(column, row) = 0;
    }
    return picture;
}

/// What a scanner would send: the identifier of the symbology, "]C1", then the data; "" when it
/// reads nothing.
inline std::string scan(gray_picture const& picture)
{
    scanner_options options;
// Later versions do it by themselves, and call the word deprecated.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    options.setReturnCodabarStartEnd(true);
#pragma GCC diagnostic pop
    auto const view = ZXing::ImageView{
        picture.dots.data(), picture.width, picture.height, ZXing::ImageFormat::Lum};
    auto const read = ZXing::ReadBarcode(view, options);
    if (!read.isValid())
        return {};
    auto identifier = read.symbologyIdentifier();
    if (identifier.starts_with("]I"))
        identifier.pop_back();  // guesses at a check digit
    auto const& bytes = read.bytes();
    return identifier + " " + std::string{bytes.begin(), bytes.end()};
}

/// The picture of a symbol as SVG, or "refused: " and the reason.
inline std::string svg_of(
    symbol_data const& symbol, std::string_view text = {}, print_size const& size = {}
)
{
    auto const shapes = draw_barcode(symbol, text, size);
    return shapes.has_value() ? to_svg(*shapes, size) : "refused: " + shapes.error().reason;
}

}  // namespace gapless::test
