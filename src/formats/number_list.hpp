#pragma once

#include "base/csv_writer.hpp"
#include "formats/bound_format.hpp"
#include "issuing/issuance.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// Appends the number printed for a serial.
void append_number(bound_format const& format, std::int64_t serial, std::string& text);

/// Appends a member that is the number of a serial, or null.
void append_number_or_null(
    std::string& json,
    std::string_view name,
    bound_format const& format,
    std::optional<std::int64_t> serial
);

/// Numbers as the elements of a JSON array, and as the lines of a file.
inline constexpr number_list_style numbers_in_json{"\"", "\"", ","};
inline constexpr number_list_style numbers_in_csv{"", "\n", ""};

/// One number per line of CSV; for Excel all as ="…", as append_csv_number writes long ones.
constexpr number_list_style lines_of(csv_style style)
{
    return style.excel ? number_list_style{R"("="")", "\"\"\"\n", ""} : numbers_in_csv;
}

/// The numbers of an issuance, appended piece by piece, and the text after them.
class number_list
{
public:
    static constexpr std::int64_t numbers_per_piece = 2'000;

    /// `format` must outlive it.
    number_list(
        bound_format const& format,
        std::vector<issued_range> ranges,
        number_list_style const& style,
        std::string tail
    );

    /// Bytes still to come.
    std::uint64_t bytes() const noexcept { return bytes_to_come_; }

    /// Appends the next piece of up to numbers_per_piece numbers. Some must be left.
    void append_piece(std::string& text);

    /// Appends all of them.
    void append_all(std::string& text);

private:
    bound_format const& format_;
    std::vector<issued_range> ranges_;
    number_list_style style_;
    std::string tail_;
    std::size_t range_{};  // the range being written
    std::int64_t done_{};  // of it, numbers already written
    std::uint64_t bytes_to_come_{};
};

}  // namespace gapless
