#include "formats/format_record.hpp"

#include "base/text.hpp"
#include "record/json.hpp"

#include <variant>
#include <vector>

namespace gapless {

namespace {

/// Reads "18" or "18-22". Returns false for anything else.
bool read_length(std::string_view text, declared_length& length) noexcept
{
    auto const dash = text.find('-');
    auto const shortest = read_decimal<std::size_t>(text.substr(0, dash));
    auto const longest =
        dash == text.npos ? shortest : read_decimal<std::size_t>(text.substr(dash + 1));
    length = {shortest.value_or(0), longest.value_or(0)};
    return shortest && longest;
}

}  // namespace

void append_json(std::string& json, declared_length const& length)
{
    if (length.max == 0)
        json += "null";
    else if (length.min == length.max)
        append_json(json, length.min);
    else
        append_json_string(json, std::to_string(length.min) + '-' + std::to_string(length.max));
}

void reading<declared_length>::take(raw_value& raw, declared_length& length)
{
    auto const* const number = std::get_if<std::int64_t>(&raw);
    auto const text = number ? std::to_string(*number) : std::get<std::string>(raw);
    if (!read_length(text, length))
        throw wrong_field{refusal_kind::malformed_request, " has to be " + std::string{wanted}};
}

namespace formats {

void check(format const& wanted)
{
    if (wanted.name.empty() || wanted.number.empty())
        throw refused{
            refusal_kind::malformed_request, "a format needs a name and a number (its template)"};
}

format to_format(number_declaration const& from)
{
    format made{
        .name = from.name,
        .number = from.number,
        .length = from.length,
        .check = from.check,
        .hrt = {},
        .barcode = {},
        .carrier = {}};
    if (!from.carrier.empty())
        made.carrier = from.carrier;
    if (!from.hrt.empty())
        made.hrt = from.hrt;
    if (!from.barcode.symbology.empty())
        made.barcode = {from.barcode.symbology, from.barcode.data};
    return made;
}

number_declaration to_declaration(format const& from)
{
    number_declaration made{
        .name = from.name,
        .number = from.number,
        .length = from.length,
        .hrt = from.hrt.value_or(""),
        .barcode = {},
        .carrier = from.carrier.value_or("")};
    if (from.check)
        made.check = *from.check;
    if (from.barcode)
        made.barcode = {from.barcode->symbology, from.barcode->data};
    return made;
}

format read_format(std::string_view json)
{
    auto const& type = input_of<format>;
    std::vector<raw_value> values(type.fields.size());
    read_object(json, type.fields, values);
    return *static_cast<format const*>(make_record(type, values, word_for_body).get());
}

}  // namespace formats

}  // namespace gapless
