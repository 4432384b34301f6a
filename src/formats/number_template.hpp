#pragma once

#include "formats/format_refusal.hpp"
#include "formats/parameter.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

enum class segment_kind : std::uint8_t
{
    literal = 1,
    serial,
    check,
    parameter,
};

/// One piece of a number template, from left to right.
struct template_segment
{
    segment_kind kind{segment_kind::literal};
    std::string text{};          // literal: its characters; otherwise empty
    parameter_spec parameter{};  // parameter: its spec; serial: its characters and lengths
    int base{10};                // serial: 10 or 36
    bool fills{false};           // serial: {n:*}
    bool is_checked{false};      // stands inside [ ]
    std::size_t position{1};     // where it starts in the template, from 1
};

/// Reads the template of a number. Checks what can be checked without length and algorithm:
/// fields are well-formed, one serial, at most one {c}, brackets balanced and not nested,
/// parameter names unique, literals printable. Refuses with the template position.
format_result<std::vector<template_segment>> read_number_template(std::string_view text);

/// Printed between groups of characters and skipped when a number is read: blank, tab, dot, dash.
bool is_separator(char character) noexcept;

}  // namespace gapless
