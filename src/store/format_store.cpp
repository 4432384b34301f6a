#include "store/format_store.hpp"

#include "base/contract.hpp"
#include "domain/format/catalogue.hpp"
#include "domain/format/missing_format.hpp"
#include "store/query.hpp"
#include "wire/format_json.hpp"

#include <nlohmann/json.hpp>

namespace gapless {

using nlohmann::json;

namespace {

refusal unfit(std::string reason)
{
    return {refusal_kind::out_of_range, std::move(reason)};
}

parameter_values to_values(std::map<std::string, std::string> const& params)
{
    parameter_values values;
    for (auto const& [name, value] : params)
        values.emplace(name, value);
    return values;
}

}  // namespace

result<number_format> find_number_format(
    pqxx::transaction_base& transaction, std::string const& name
)
{
    if (auto const* known = find_format(name))
        return *known;
    auto const rows =
        query_rows(transaction, "select declaration from gapless.format_report($1)", name);
    if (rows.empty())
        return unfit(missing_format(name, read_declared_formats(transaction)));
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

std::vector<series_entry> read_series_settings(
    pqxx::transaction_base& transaction, std::optional<std::string> const& name
)
{
    std::vector<series_entry> all;
    for (auto const& row :
         query_rows(transaction, "select * from gapless.series_settings($1)", name))
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
    for (auto const& row :
         query_rows(transaction, "select declaration from gapless.format_report()"))
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
    execute(
        transaction,
        "select gapless.format_declare($1, $2::jsonb, $3)",
        declaration.name,
        to_declaration_json(declaration),
        actor
    );
    return {};
}

}  // namespace gapless
