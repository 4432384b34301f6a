#pragma once

#include "domain/issuance.hpp"
#include "service/numbering.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gapless {

/// Appends the number printed for a serial of this series. The one place where a serial becomes a
/// number.
void append_number(series_entry const& series, std::int64_t serial, std::string& text);

/// The numbers of `count` serials from `first` on, each with `before` and `after` around it.
void append_numbers(
    series_entry const& series,
    std::int64_t first,
    std::int64_t count,
    std::string_view before,
    std::string_view after,
    std::string& text
);

/// Which numbers an answer lists one by one.
enum class listing
{
    usual = 1,  // up to listed_numbers_max numbers, else none
    all,
    none,
};

/// Appends an issuance as the JSON object of the contract.
void append_issuance(
    series_entry const& series, issuance const& value, listing numbers, std::string& json
);

/// Appends the numbers of an issuance, one to a line.
void append_csv(series_entry const& series, issuance const& value, std::string& csv);

/// Appends the id of an issuance: that of its first number.
void append_id(issuance const& value, std::string& text);

}  // namespace gapless
