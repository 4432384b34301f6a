#pragma once

#include "formats/check_algorithm.hpp"
#include "formats/format_refusal.hpp"
#include "formats/number_template.hpp"

#include <optional>
#include <span>

namespace gapless {

/// Why a check algorithm and a template do not go together, or nothing: {c} and [ ] stand there
/// when there is an algorithm and only then, the serial is checked, and everything inside [ ] can
/// be read.
std::optional<format_refusal> refusal_of_scope(
    check_algorithm const& algorithm, std::span<template_segment const> segments
);

}  // namespace gapless
