#pragma once

#include "formats/check_algorithm.hpp"
#include "formats/data_template.hpp"
#include "formats/format_refusal.hpp"
#include "formats/number_declaration.hpp"
#include "formats/number_template.hpp"
#include "formats/parameter.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// Most parameters of variable length in a number: bounds the work of reading one.
inline constexpr std::size_t variable_parameters_max = 2;

/// A parameter of a format.
struct format_parameter
{
    parameter_spec spec;
    bool is_in_number{};  // else it stands in hrt or barcode only and may come with the request
};

/// A checked declaration. Immutable; safe to read from any thread.
class number_format
{
public:
    /// Checks a declaration as a whole. Refuses with the first fault, naming its position in the
    /// template. Does not block.
    static format_result<number_format> compile(number_declaration declaration);

    number_declaration const& declaration() const noexcept { return declaration_; }
    std::string const& name() const noexcept { return declaration_.name; }
    check_algorithm const& algorithm() const noexcept { return *algorithm_; }
    std::span<template_segment const> segments() const noexcept { return segments_; }
    std::span<format_parameter const> parameters() const noexcept { return parameters_; }
    std::span<data_piece const> hrt() const noexcept { return hrt_; }  // empty when it is a mask
    std::span<data_piece const> barcode() const noexcept { return barcode_; }

    /// Shortest and longest number, in characters, literal separators included.
    std::size_t length_min() const noexcept { return length_min_; }
    std::size_t length_max() const noexcept { return length_max_; }

    /// Literal separators in every number; a reader skips them.
    std::size_t separators() const noexcept { return separators_; }

    /// The segment of the serial.
    template_segment const& serial() const noexcept;

    /// True for {n:*} without a declared length: the serial takes the characters it needs.
    bool has_free_serial() const noexcept;

    /// The parameter of that name, or nothing.
    format_parameter const* find_parameter(std::string_view name) const noexcept;

    /// The values as the number carries them: in capitals, each checked against its parameter.
    /// Refuses unknown names and values that do not fit. The caller decides which values are
    /// needed.
    format_result<parameter_values> read_parameters(parameter_values const& values) const;

private:
    number_format() = default;

    number_declaration declaration_;
    check_algorithm const* algorithm_{};
    std::vector<template_segment> segments_;
    std::vector<format_parameter> parameters_;
    std::vector<data_piece> hrt_;
    std::vector<data_piece> barcode_;
    std::size_t length_min_{};
    std::size_t length_max_{};
    std::size_t separators_{};

    friend class format_compiler;
};

}  // namespace gapless
