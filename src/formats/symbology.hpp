#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gapless {

/// How data becomes bars or squares.
enum class symbology : std::uint8_t
{
    code128 = 1,
    gs1_128,     // Code 128 of application identifiers
    itf,         // interleaved 2 of 5
    itf14,       // a GTIN-14 as interleaved 2 of 5 inside a frame
    identcode,   // Deutsche Post: 12 digits
    leitcode,    // Deutsche Post: 14 digits
    codabar,     // begins and ends with A to D
    dpd,         // Code 128 of DPD's 28 characters
    datamatrix,  // ECC 200
};

/// The symbology of that name, such as "gs1-128", or nullopt.
std::optional<symbology> find_symbology(std::string_view name) noexcept;

/// Every name that a format may declare.
std::span<std::string_view const> symbology_names() noexcept;

}  // namespace gapless
