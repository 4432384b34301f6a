#pragma once

#include "base/json_text.hpp"
#include "base/moment.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Answers are written by hand, field by field in the order of the contract: building a tree of
/// values first would cost more than the rest of an answer (measured: 1 µs of 5).
namespace gapless {

inline void append_decimal(std::string& text, std::int64_t number)
{
    char digits[20];
    auto const end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text.append(digits, end);
}

/// A number in quotes: anything that can exceed 2^53 is text in JSON.
inline void append_quoted_decimal(std::string& json, std::int64_t number)
{
    json += '"';
    append_decimal(json, number);
    json += '"';
}

/// Appends `"name":`, after a comma unless it is the first member of its object.
std::string& append_name(std::string& json, std::string_view name);

/// Appends a member that is a string.
void append_text(std::string& json, std::string_view name, std::string_view text);

/// Appends a member that is a number in quotes.
void append_count(std::string& json, std::string_view name, std::int64_t count);

/// Appends a member that is a string, or null.
void append_optional(
    std::string& json, std::string_view name, std::optional<std::string> const& text
);

/// Appends a member that is a moment.
void append_moment(std::string& json, std::string_view name, database_time moment);

/// Appends what an issuance is for: "reference", and "reference_erased":true if it was erased and
/// is therefore null; that member is absent otherwise.
void append_reference(std::string& json, std::optional<std::string> const& reference, bool erased);

/// Appends true or false.
inline void append_truth(std::string& json, bool truth)
{
    json += truth ? "true" : "false";
}

}  // namespace gapless
