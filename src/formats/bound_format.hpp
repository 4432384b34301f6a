#pragma once

#include "formats/format_refusal.hpp"
#include "formats/number_format.hpp"
#include "formats/number_reader.hpp"
#include "formats/parameter.hpp"
#include "formats/serial_checker.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace gapless {

/// How to write a list of numbers: {"\"", "\"", ","} gives the inside of a JSON array. No number
/// has a character that JSON or CSV would have to escape.
struct number_list_style
{
    std::string_view before;   // of every number
    std::string_view after;    // of every number
    std::string_view between;  // two numbers
};

/// A number taken apart in a series: everything but the serial is known.
struct read_serial
{
    std::int64_t serial{};  // 0..serial_max()
    std::string number;     // as printed
};

/// The format of one series: number_format with the parameters of the series. Everything that is
/// the same for all numbers is computed once, here. Immutable; safe to use from any thread.
class bound_format
{
public:
    /// Refuses parameters the format does not have, values that do not fit, a missing parameter of
    /// the number, and lengths that leave no room for a serial. Parameters of hrt and barcode may
    /// be given here or with the request.
    static format_result<bound_format> bind(
        number_format const& format, parameter_values const& parameters
    );

    /// The same for many series, which share the format.
    static format_result<bound_format> bind(
        std::shared_ptr<number_format const> format, parameter_values const& parameters
    );

    number_format const& format() const noexcept { return *format_; }
    parameter_values const& parameters() const noexcept { return parameters_; }

    /// Largest serial that fits, at most serial_max.
    std::int64_t serial_max() const noexcept { return serial_max_; }

    /// Characters of every number, or of the longest one where the serial has no fixed width.
    std::size_t length_max() const noexcept { return length_max_; }

    /// Fewest and most characters of the serial; they differ where it has no fixed width.
    std::size_t width_min() const noexcept { return width_min_; }
    std::size_t width_max() const noexcept { return width_max_; }

    /// 10 or 36.
    int base() const noexcept { return base_; }

    /// Writes the number of a serial, 0..serial_max(), to `out`, which has room for length_max()
    /// characters; no terminating zero. Returns its length. Does not allocate for numbers of fixed
    /// length. Measured: see docs/reference/formats.md.
    std::size_t write_number(std::int64_t serial, char* out) const;

    /// The number of a serial, 0..serial_max().
    std::string to_number(std::int64_t serial) const;

    /// How many characters the numbers of `count` consecutive serials from `first_serial` on have
    /// together, the last of them at most serial_max().
    std::uint64_t characters(std::int64_t first_serial, std::int64_t count) const;

    /// Appends the numbers of `count` consecutive serials from `first_serial` on, the last of them
    /// at most serial_max(). Allocates only when `out` has too little room.
    void append_numbers(
        std::int64_t first_serial,
        std::int64_t count,
        number_list_style const& style,
        std::string& out
    ) const;

    /// The serial of a number of this series, as read by read_number (number_reader.hpp). Refuses
    /// with the reason; also if the serial is above serial_max().
    format_result<read_serial> read_number(
        std::string_view text, check_text check = check_text::right
    ) const;

private:
    explicit bound_format(std::shared_ptr<number_format const> format) : format_{std::move(format)}
    {
    }

    void fix_lengths();
    void write_serial(std::int64_t serial, char* end) const;
    void append_growing(
        std::int64_t first, std::int64_t count, number_list_style const& style, std::string& out
    ) const;
    std::size_t write_growing(std::int64_t serial, char* out) const;

    std::shared_ptr<number_format const> format_;
    parameter_values parameters_;
    std::string head_;          // before the serial; '?' where the check character goes
    std::string tail_;          // after it, likewise
    std::string checked_head_;  // the part of them that is checked
    std::string checked_tail_;
    std::size_t width_min_{1};  // characters of the serial
    std::size_t width_max_{1};
    std::size_t check_at_{std::string::npos};  // from the left end; only for fixed lengths
    std::size_t length_max_{};
    std::int64_t serial_max_{};
    int base_{10};
    bool has_check_{};
    serial_checker checker_;  // only for fixed lengths
};

}  // namespace gapless
