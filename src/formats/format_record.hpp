#pragma once

#include "formats/number_declaration.hpp"
#include "record/read.hpp"

#include <optional>
#include <string>
#include <string_view>

/// Number formats as records: for answers and bodies, for files on the command line, and for the
/// database, which keeps the declared ones.
namespace gapless {

// A length is null, an integer, or "18-22".

void append_json(std::string& json, declared_length const& length);

template <>
inline constexpr bool is_required<declared_length> = false;

template <>
struct reading<declared_length>
{
    static constexpr unsigned accepts = takes_integer | takes_text;
    static constexpr std::string_view wanted{"a number, or shortest-longest"};

    static void take(raw_value& raw, declared_length& length);
};

template <>
struct schema_of<declared_length>
{
    static void append(std::string& json)
    {
        json += R"("anyOf":[{"type":"string"},{"type":["integer","null"]}])";
    }
};

namespace formats {

struct format_barcode
{
    std::string symbology;
    std::string data;
};
GAPLESS_RECORD(
    format_barcode,
    (),
    (symbology, "Name of the symbology."),
    (data, "What is encoded: a template.")
)

struct format
{
    std::string name;
    std::string number;
    declared_length length;
    std::optional<std::string> check;
    std::optional<std::string> hrt;
    std::optional<format_barcode> barcode;
    std::optional<std::string> carrier;
};
GAPLESS_RECORD(
    format,
    (),
    (name, "Name of the format.", .example = R"("parcel-9")"),
    (number, "The template.", .example = R"("P{n:8}")"),
    (length, "Characters of every number, or \"shortest-longest\".", .example = "9"),
    (check, "Name of a check algorithm; \"none\" by default."),
    (hrt, "How people read it.", .in_table = false),
    (barcode, "What the parcel carries for machines.", .is_column = false),
    (carrier, "Whose numbers they are, in words.", .example = R"("Parcel shops")")
)

/// Throws refused for an empty name or template.
void check(format const& wanted);

format to_format(number_declaration const& from);
number_declaration to_declaration(format const& from);

/// Reads a JSON object. Throws refused, worded like for the body of a request.
format read_format(std::string_view json);

}  // namespace formats

}  // namespace gapless
