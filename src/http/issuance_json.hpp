#pragma once

#include "domain/issuance.hpp"
#include "service/numbering.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gapless {

/// Appends the number printed for a serial.
void append_number(bound_format const& format, std::int64_t serial, std::string& text);

/// Which numbers an answer lists one by one.
enum class listing
{
    usual = 1,  // up to listed_numbers_max numbers, else none
    all,
    none,
};

/// Appends an issuance in that state (issued, held, released, expired) as the JSON object of the
/// contract; a held one with the moment its hold ends. `parts`: how the numbers of a hold were
/// settled, which tells what may be printed; shown once any of them was.
void append_issuance(
    series_entry const& series,
    issuance const& value,
    std::string_view state,
    std::span<hold_part const> parts,
    listing numbers,
    std::string& json
);

/// Appends the numbers of an issuance, one to a line.
void append_csv(series_entry const& series, issuance const& value, std::string& csv);

/// Appends the id of an issuance: that of its first number.
void append_id(issuance const& value, std::string& text);

}  // namespace gapless
