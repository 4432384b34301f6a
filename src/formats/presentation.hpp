#pragma once

#include "formats/bound_format.hpp"
#include "formats/format_refusal.hpp"
#include "formats/parameter.hpp"

#include <cstdint>
#include <string>

namespace gapless {

/// The input for a picture of the barcode.
struct barcode_content
{
    std::string symbology;  // as declared: "gs1-128", "code128", "itf" ...
    std::string data;       // application identifiers in brackets, where the format has them
};

/// The number of a serial, 0..serial_max(), as people read it: by the hrt of the format, or the
/// plain number if it has none. `request` has the parameters that came with the request. Refuses
/// one that is missing, does not fit or contradicts the series.
format_result<std::string> to_hrt(
    bound_format const& format, std::int64_t serial, parameter_values const& request = {}
);

/// What the barcode of a serial encodes; refuses like to_hrt. Both texts are empty when the format
/// has no barcode.
format_result<barcode_content> to_barcode(
    bound_format const& format, std::int64_t serial, parameter_values const& request = {}
);

}  // namespace gapless
