#pragma once

#include "domain/refusal.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace gapless {

/// A number that may exceed 2^53, as canonical decimal text: digits, no sign, no leading zero.
struct decimal_text
{
    std::optional<std::string> digits;  // none: the field was not there
};

/// An integer from 0 that may be taken away by null.
struct removable_integer
{
    bool given{};
    std::optional<std::int64_t> value;  // none: null was given, or nothing
};

/// A text that may be taken away by null.
struct removable_text
{
    bool given{};
    std::optional<std::string> value;  // none: null was given, or nothing
};

/// What null means where a value is expected.
enum class null_means
{
    absent = 1,  // as if the field were not there
    removed,     // the value is taken away; where it cannot be, null is refused
};

/// A field an object may have, and where its value goes. The kind of the place says what is
/// accepted:
///   optional<int64>    an integer without fraction or exponent, within int64
///   optional<bool>     true or false
///   optional<string>   a text without control characters
///   decimal_text       an integer from 0, as a JSON integer or as its decimal digits in a string
///   removable_integer  the same within int64, or null
///   map                an object of texts
///   removable_text     a text as above, or null
/// null is taken everywhere else, too, but not inside of lists and objects: see null_means. Where
/// an integer or its digits may stand, an integer above 2^53-1 is refused: many programs have
/// rounded it before they sent it.
struct json_field
{
    using place = std::variant<
        std::optional<std::int64_t>*,
        std::optional<bool>*,
        std::optional<std::string>*,
        decimal_text*,
        removable_integer*,
        std::map<std::string, std::string>*,
        removable_text*>;

    std::string_view name;
    place target;
};

/// Reads one JSON object into its fields; a field that is not there leaves its place as it is.
/// Refuses with malformed_request and the name of the field: what is not exactly one JSON object in
/// UTF-8 (RFC 8259, no byte order mark), fields that are unknown or given twice, values of another
/// kind. Nothing is nested deeper than the kinds above. Refuses with out_of_range where null should
/// remove what cannot be removed.
result<void> read_json_object(
    std::string_view text, std::span<json_field const> fields, null_means null = null_means::absent
);

/// The same for any two texts that say the same: an object without its members that are null and
/// without blanks. What is no object is left as it is.
std::string to_canonical_json(std::string_view text);

/// The decimal text of a serial or a count as an integer. Refuses with out_of_range beyond `most`.
result<std::int64_t> read_decimal(
    std::string_view field, std::string const& digits, std::int64_t most
);

}  // namespace gapless
