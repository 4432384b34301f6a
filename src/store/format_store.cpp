#include "store/format_store.hpp"

#include "base/contract.hpp"
#include "domain/format/catalogue.hpp"

#include <nlohmann/json.hpp>

#include <charconv>

namespace gapless {

using nlohmann::json;

namespace {

refusal unfit(std::string reason)
{
    return {refusal_kind::out_of_range, std::move(reason)};
}

refusal malformed(std::string reason)
{
    return {refusal_kind::malformed_request, std::move(reason)};
}

parameter_values to_values(std::map<std::string, std::string> const& params)
{
    parameter_values values;
    for (auto const& [name, value] : params)
        values.emplace(name, value);
    return values;
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

result<number_format> find_number_format(
    pqxx::transaction_base& transaction, std::string const& name
)
{
    if (auto const* known = find_format(name))
        return *known;
    auto const rows =
        transaction.exec_params("select declaration from gapless.format_report($1)", name);
    if (rows.empty())
        return unfit("there is no format '" + name + "'; see: gapless format list");
    auto const declaration = read_declaration_json(rows[0][0].as<std::string>());
    if (declaration.has_error())
        return declaration.error();
    auto compiled = number_format::compile(*declaration);
    if (compiled.has_error())
        return unfit("format '" + name + "': " + compiled.error().reason);
    return std::move(*compiled);
}

result<bound_format> bind_format(
    pqxx::transaction_base& transaction,
    std::string const& name,
    std::map<std::string, std::string> const& params
)
{
    auto const format = find_number_format(transaction, name);
    if (format.has_error())
        return format.error();
    auto bound = bound_format::bind(*format, to_values(params));
    if (bound.has_error())
        return unfit("format '" + name + "': " + bound.error().reason);
    return std::move(*bound);
}

std::vector<series_settings> read_series_settings(
    pqxx::transaction_base& transaction, std::optional<std::string> const& name
)
{
    std::vector<series_settings> all;
    for (auto const& row :
         transaction.exec_params("select * from gapless.series_settings($1)", name))
    {
        auto const params =
            json::parse(row["params"].as<std::string>()).get<std::map<std::string, std::string>>();
        auto bound = bind_format(transaction, row["format"].as<std::string>(), params);
        ensure(bound.has_value(), "the format of a series was checked when the series was created");
        all.push_back(
            {row["series_id"].as<std::int32_t>(), row["name"].as<std::string>(), std::move(*bound)}
        );
    }
    return all;
}

std::vector<number_declaration> read_declared_formats(pqxx::transaction_base& transaction)
{
    std::vector<number_declaration> all;
    for (auto const& row : transaction.exec("select declaration from gapless.format_report()"))
    {
        auto declaration = read_declaration_json(row[0].as<std::string>());
        ensure(declaration.has_value(), "a declaration that was kept can be read");
        all.push_back(std::move(*declaration));
    }
    return all;
}

result<void> declare_format(
    pqxx::transaction_base& transaction,
    number_declaration const& declaration,
    std::string const& actor
)
{
    if (find_format(declaration.name) != nullptr)
        return refusal{
            refusal_kind::state_conflict,
            "'" + declaration.name + "' is a format of the catalogue; choose another name"};
    if (auto const compiled = number_format::compile(declaration); compiled.has_error())
        return unfit(compiled.error().reason);
    transaction.exec_params1(
        "select gapless.format_declare($1, $2::jsonb, $3)",
        declaration.name,
        to_declaration_json(declaration),
        actor
    );
    return {};
}

}  // namespace gapless
