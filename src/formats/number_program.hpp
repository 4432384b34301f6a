#pragma once

#include "formats/bound_format.hpp"

#include <string>

namespace gapless {

/// The recipe of a series' numbers as a JSON text, for a database function that makes the same
/// numbers without knowing templates, parameters or the catalogue:
///
///   {"head":"RB","tail":"?DE","width_min":8,"width_max":8,"base":10,
///    "check":{"kernel":"wsum","head":"","tail":"","weights":[8,6,4,2,3,5,9,7],"from":"left",
///             "mod":11,"start":0,"values":"digits","results":"50987654321"}}
///
/// A number is head, serial, tail; the serial is padded with zeros to width_min characters, and the
/// one '?' is replaced by the check character. The checked text is check.head, serial, check.tail.
/// `check` is null without a check character; its kernels:
///
///   wsum      sum of start and value times weight, weights cycling from that end, modulo mod
///   luhn      every second character from the right doubled, less 9 above 9, modulo 10
///   mod       all characters as one decimal number, modulo mod
///             these three: the check character is results[remainder]
///   iso7064   hybrid system over "alphabet"
///
/// values "ups": a letter counts (ASCII code - 63) mod 10; "ascii": all count their ASCII code.
std::string to_program(bound_format const& format);

}  // namespace gapless
