#pragma once

#include "formats/bound_format.hpp"
#include "formats/format_refusal.hpp"
#include "formats/parameter.hpp"

#include <cstdint>
#include <string>

namespace gapless {

/// What a picture of the barcode is made from.
struct barcode_content
{
    std::string symbology;  // as declared: "gs1-128", "code128", "itf" ...
    std::string data;       // application identifiers in brackets, where the format has them
};

/// How people read the number of a serial, 0..serial_max(): as the hrt of the format says, the
/// plain number when it says nothing. `request` has the parameters that came with the request.
/// Refuses one that is missing, that does not fit or that the series fixed differently.
format_result<std::string> to_hrt(
    bound_format const& format, std::int64_t serial, parameter_values const& request = {}
);

/// What the barcode of a serial encodes; refuses like to_hrt. Both texts are empty when the format
/// has no barcode.
format_result<barcode_content> to_barcode(
    bound_format const& format, std::int64_t serial, parameter_values const& request = {}
);

}  // namespace gapless
