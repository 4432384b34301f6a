#pragma once

#include "formats/check_algorithm.hpp"
#include "formats/format_refusal.hpp"
#include "formats/number_template.hpp"

#include <optional>
#include <span>

namespace gapless {

/// Why a check algorithm and a template do not fit together, or nullopt: {c} and [ ] must be
/// present if and only if there is an algorithm, the serial must be checked, and everything inside
/// [ ] must be readable.
std::optional<format_refusal> refusal_of_scope(
    check_algorithm const& algorithm, std::span<template_segment const> segments
);

}  // namespace gapless
