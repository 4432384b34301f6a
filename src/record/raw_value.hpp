#pragma once

#include "record/describe.hpp"
#include "record/types.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gapless {

/// The members of a JSON object of strings, in order; each name once.
using raw_object = std::vector<std::pair<std::string, std::string>>;

/// A field's value before its type is applied: parsed from JSON, or a string from a path, a query
/// or the command line.
using raw_value = std::variant<
    std::monostate,  // absent
    std::nullptr_t,
    bool,
    std::int64_t,
    std::string,
    std::vector<std::string>,
    raw_object,
    std::vector<raw_object>>;

/// The kinds of JSON values a field accepts; a bit set.
enum accepted_kind : unsigned
{
    takes_null = 1,  // as a value; elsewhere null counts as absent
    takes_truth = 2,
    takes_integer = 4,
    takes_digits = 8,  // a non-negative integer, or its decimal digits in a string
    takes_text = 16,
    takes_list = 32,  // of strings
    takes_object = 64,
    takes_objects = 128,  // a list of them
    takes_header = 256,   // comes from a header field, never from a body or a query
};

/// A field of an input record, type-erased.
struct input_field
{
    std::string_view name;
    note about;
    unsigned accepts{};
    std::string_view wanted;  // in words: "an integer"
    bool required{};
    bool kept{};                                   // for changes: absent leaves the value as it is
    integer_bounds bounds{};                       // of an integer
    void (*take)(raw_value& raw, void* record){};  // throws wrong_field
    void (*append_schema)(std::string& json){};
};

/// An input record, type-erased.
struct input_type
{
    std::string_view name;  // of its struct
    std::span<input_field const> fields;
    std::shared_ptr<void> (*make)(){};
    void (*check)(void const* record){};  // throws wrong_field
};

/// The wording for a field that also accepts null.
constexpr std::string_view or_null(unsigned accepts, std::string_view wanted)
{
    if (accepts == takes_digits)
        return "an integer from 0, its decimal digits in a string, or null";
    return accepts == takes_text ? std::string_view{"a string or null"} : wanted;
}

/// The integer, parsed if it is text. Throws wrong_field.
std::int64_t to_integer(raw_value const& raw, integer_bounds bounds);

/// The id, in canonical form: 1, not 01. Throws wrong_field.
std::int32_t to_id(raw_value const& raw);

/// The version that the header field If-Match names. Throws refused.
if_match to_if_match(std::string_view header);

/// The boolean, parsed if it is text. Throws wrong_field.
bool to_truth(raw_value const& raw);

/// Throws wrong_field, of the field of that name, for a reason that is blank or longer than
/// reference_characters_max characters.
void check_reason(std::string_view reason, std::string_view field);

/// Parses one JSON object (RFC 8259); values[n] receives the value of fields[n]. Throws refused
/// with malformed_request, naming the field: anything but exactly one JSON object, unknown or
/// duplicate fields, values of a kind the field does not accept.
void read_object(
    std::string_view json, std::span<input_field const> fields, std::span<raw_value> values
);

/// Phrases what is wrong with a field; `what` follows its name: " is missing", ": it is odd".
using field_wording = std::function<std::string(input_field const& field, std::string_view what)>;

std::string word_for_body(
    input_field const& field, std::string_view what
);  // The field "url" is missing.
std::string word_for_query(
    input_field const& field, std::string_view what
);  // The query parameter limit has to be 1 to 1000.

/// Fills a record from raw values, which are moved from. Throws refused, worded by `wording`, if a
/// field is missing or invalid.
void fill_record(
    input_type const& type, std::span<raw_value> values, field_wording const& wording, void* into
);

/// The same for a record of its own.
std::shared_ptr<void> make_record(
    input_type const& type, std::span<raw_value> values, field_wording const& wording
);

}  // namespace gapless
