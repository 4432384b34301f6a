#pragma once

#include "barcode/picture.hpp"
#include "barcode/png.hpp"
#include "barcode/symbol_data.hpp"

// The library asks for this until its texts are UTF-8 by default (2.0).
#define ZX_USE_UTF8 1
#include <doctest/doctest.h>

#include <ZXing/ReadBarcode.h>
#include <png.h>
#include <string>
#include <string_view>
#include <vector>

namespace gapless::test {

#if __has_include(<ZXing/ReaderOptions.h>)
using scanner_options = ZXing::ReaderOptions;
#else  // before ZXing 2.2
using scanner_options = ZXing::DecodeHints;
#endif

/// A picture as a PNG reader sees it, a byte for each dot.
struct gray_picture
{
    int width{};
    int height{};
    std::vector<std::uint8_t> dots;

    bool is_dark(int x, int y) const
    {
        return dots
                   [static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                    static_cast<std::size_t>(x)] < 128;
    }
};

inline gray_picture read_png(std::string_view file)
{
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_memory(&image, file.data(), file.size()) != 0);
    image.format = PNG_FORMAT_GRAY;
    gray_picture picture{static_cast<int>(image.width), static_cast<int>(image.height), {}};
    picture.dots.resize(PNG_IMAGE_SIZE(image));
    REQUIRE(png_image_finish_read(&image, nullptr, picture.dots.data(), 0, nullptr) != 0);
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

/// The picture of a symbol as PNG, or "refused: " and the reason.
inline std::string png_of(
    symbol_data const& symbol, std::string_view text, print_size const& size = {}
)
{
    auto const picture = paint_barcode(symbol, text, size);
    return picture.has_value() ? to_png(*picture, size) : "refused: " + picture.error().reason;
}

}  // namespace gapless::test
