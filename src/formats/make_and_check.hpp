#pragma once

#include "formats/format_refusal.hpp"
#include "formats/number_format.hpp"
#include "formats/parameter.hpp"

#include <string>
#include <string_view>

namespace gapless {

/// The verdict on a number that somebody wrote down.
struct number_verdict
{
    bool valid{};
    std::string serial;           // as written in the number, zero-padded; empty if there is none
    parameter_values parameters;  // of the number, if their position is certain
    std::string reason;  // why it is not valid, or a remark about a valid one; may be empty
};

/// Makes the number of a serial given as text, in the base of the format, leading zeros or not.
/// Unlike a series, this also takes serials no 64-bit integer holds, where the format has room
/// for more than 19 digits. Refuses with the parameter or the serial that does not fit.
format_result<std::string> make_number(
    number_format const& format, std::string_view serial, parameter_values const& parameters
);

/// Judges a number without knowing its series: shape, check character, the given parameters, and,
/// for parameters not given, what the carrier is known to assign.
number_verdict check_number(
    number_format const& format, std::string_view number, parameter_values const& parameters
);

}  // namespace gapless
