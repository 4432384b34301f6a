#include "wire/format_json.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <optional>

namespace gapless {

using nlohmann::json;

namespace {

refusal malformed(std::string reason)
{
    return {refusal_kind::malformed_request, std::move(reason)};
}

/// "18" or "18-22".
std::optional<declared_length> read_length(std::string_view text)
{
    declared_length length;
    auto const dash = text.find('-');
    auto const low = text.substr(0, dash);
    auto const high = dash == std::string_view::npos ? low : text.substr(dash + 1);
    auto const whole = [](std::string_view part, std::size_t& value) {
        auto const [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        return error == std::errc{} && end == part.data() + part.size();
    };
    if (!whole(low, length.min) || !whole(high, length.max))
        return std::nullopt;
    return length;
}

result<void> read_barcode(json const& value, barcode_declaration& barcode)
{
    if (!value.is_object())
        return malformed("barcode has to be an object with symbology and data");
    for (auto const& [key, part] : value.items())
    {
        if (!part.is_string() || (key != "symbology" && key != "data"))
            return malformed("barcode has the texts symbology and data, not " + key);
        (key == "symbology" ? barcode.symbology : barcode.data) = part.get<std::string>();
    }
    return {};
}

result<void> read_field(std::string const& key, json const& value, number_declaration& declaration)
{
    if (key == "barcode" && !value.is_null())
        return read_barcode(value, declaration.barcode);
    if (key == "length" && value.is_number_unsigned())
    {
        declaration.length.min = declaration.length.max = value.get<std::size_t>();
        return {};
    }
    if (value.is_null() && (key == "length" || key == "hrt" || key == "barcode" || key == "check"))
        return {};
    if (!value.is_string())
        return malformed(key + " has to be a text");
    auto const text = value.get<std::string>();
    if (key == "name")
        declaration.name = text;
    else if (key == "number")
        declaration.number = text;
    else if (key == "check")
        declaration.check = text;
    else if (key == "hrt")
        declaration.hrt = text;
    else if (auto const length = read_length(text); key == "length" && length)
        declaration.length = *length;
    else
        return malformed(
            key == "length" ? "length is a number, or shortest-longest"
                            : "a format has no field " + key
        );
    return {};
}

}  // namespace

std::string to_declaration_json(number_declaration const& declaration)
{
    json out{
        {"name", declaration.name}, {"number", declaration.number}, {"check", declaration.check}};
    auto const& length = declaration.length;
    if (length.max == 0)
        out["length"] = nullptr;
    else if (length.min == length.max)
        out["length"] = length.min;
    else
        out["length"] = std::to_string(length.min) + "-" + std::to_string(length.max);
    out["hrt"] = declaration.hrt.empty() ? json() : json(declaration.hrt);
    out["barcode"] =
        declaration.barcode.symbology.empty()
            ? json()
            : json{
                  {"symbology", declaration.barcode.symbology}, {"data", declaration.barcode.data}};
    return out.dump();
}

result<number_declaration> read_declaration_json(std::string_view text)
{
    auto const parsed = json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!parsed.is_object())
        return malformed("a format is declared by a JSON object with name and number");
    number_declaration declaration;
    for (auto const& [key, value] : parsed.items())
        if (auto const read = read_field(key, value, declaration); read.has_error())
            return read.error();
    if (declaration.name.empty() || declaration.number.empty())
        return malformed("a format needs a name and a number (its template)");
    return declaration;
}

}  // namespace gapless
