#include "barcode/png.hpp"

#include "base/contract.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <zlib.h>

// The chunks of a picture of one bit per dot: PNG (ISO/IEC 15948), sections 5 and 11.
namespace gapless {
namespace {

constexpr std::string_view signature{"\x89PNG\r\n\x1a\n"};
constexpr double inches_per_metre = 1 / 0.0254;
constexpr int fast_compression = 1;  // the rows repeat: 9 is no smaller

// How a row is written.
constexpr std::uint8_t as_it_is = 0;
constexpr std::uint8_t as_difference = 2;  // from the row above

void append_integer(std::string& bytes, std::uint32_t value)
{
    for (auto const shift : {24, 16, 8, 0})
        bytes += static_cast<char>(value >> shift & 0xff);
}

void append_chunk(std::string& png, std::string_view type, std::string_view content)
{
    append_integer(png, static_cast<std::uint32_t>(content.size()));
    auto const checked_from = png.size();
    png.append(type).append(content);
    auto const* const checked = reinterpret_cast<Bytef const*>(png.data() + checked_from);
    append_integer(
        png, static_cast<std::uint32_t>(crc32(0, checked, static_cast<uInt>(4 + content.size())))
    );
}

std::string to_header(dot_picture const& picture)
{
    std::string header;
    append_integer(header, static_cast<std::uint32_t>(picture.width));
    append_integer(header, static_cast<std::uint32_t>(picture.height));
    header.append({1, 0, 0, 0, 0});  // one bit, gray; the usual compression; not interlaced
    return header;
}

std::string to_resolution(print_size const& size)
{
    auto const dots_per_metre =
        static_cast<std::uint32_t>(std::lround(size.dots_per_inch * inches_per_metre));
    std::string content;
    append_integer(content, dots_per_metre);
    append_integer(content, dots_per_metre);
    content += '\1';
    return content;
}

std::string to_compressed_rows(dot_picture const& picture)
{
    auto const row_bytes = picture.row_bytes();
    std::span<std::uint8_t const> above;
    std::string rows;
    rows.reserve((row_bytes + 1) * picture.height);
    for (std::size_t y = 0; y < picture.height; ++y)
    {
        std::span const row{picture.bits.data() + y * row_bytes, row_bytes};
        auto const repeats = std::ranges::equal(row, above);
        rows += static_cast<char>(repeats ? as_difference : as_it_is);
        if (repeats)
            rows.append(row_bytes, '\0');
        else
            rows.append(row.begin(), row.end());
        above = row;
    }
    auto size = compressBound(static_cast<uLong>(rows.size()));
    std::string compressed(size, '\0');
    auto const outcome = compress2(
        reinterpret_cast<Bytef*>(compressed.data()),
        &size,
        reinterpret_cast<Bytef const*>(rows.data()),
        static_cast<uLong>(rows.size()),
        fast_compression
    );
    ensure(outcome == Z_OK, "there is room for the compressed rows");
    compressed.resize(size);
    return compressed;
}

}  // namespace

std::string to_png(dot_picture const& picture, print_size const& size)
{
    std::string png{signature};
    append_chunk(png, "IHDR", to_header(picture));
    append_chunk(png, "pHYs", to_resolution(size));
    append_chunk(png, "IDAT", to_compressed_rows(picture));
    append_chunk(png, "IEND", {});
    return png;
}

}  // namespace gapless
