#include "formats/format_store.hpp"

#include "base/contract.hpp"
#include "formats/catalogue.hpp"
#include "formats/format_record.hpp"
#include "formats/missing_format.hpp"
#include "postgres/columns.hpp"
#include "postgres/query.hpp"

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

number_declaration to_declaration(pqxx::row const& row)
{
    auto const text = row["declaration"].as<std::string>();
    auto const read = result_of([&] { return formats::read_format(text); });
    ensure(read.has_value(), "a format that is kept was read when it was declared");
    return formats::to_declaration(*read);
}

std::vector<series_entry> to_entries(pqxx::transaction_base& transaction, pqxx::result const& rows)
{
    constexpr auto checked = "the format of a series was checked when the series was created";
    std::vector<series_entry> all;
    std::map<std::string, std::shared_ptr<number_format const>> formats;
    for (auto const& row : rows)
    {
        auto const params =
            json::parse(row["params"].as<std::string>()).get<std::map<std::string, std::string>>();
        auto const [known, is_new] = formats.try_emplace(row["format"].as<std::string>());
        if (is_new)
        {
            auto format = find_number_format(transaction, known->first);
            ensure(format.has_value(), checked);
            known->second = std::make_shared<number_format const>(std::move(*format));
        }
        auto bound = bound_format::bind(known->second, to_values(params));
        ensure(bound.has_value(), checked);
        all.push_back(
            {row["series_id"].as<std::int32_t>(), row["name"].as<std::string>(), std::move(*bound)}
        );
    }
    return all;
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
    auto compiled = number_format::compile(to_declaration(rows[0]));
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
    return to_entries(
        transaction, query_rows(transaction, "select * from gapless.series_settings($1)", name)
    );
}

std::vector<series_entry> read_series_settings(
    pqxx::transaction_base& transaction, std::vector<std::string> const& names
)
{
    return to_entries(
        transaction,
        query_rows(
            transaction,
            "select s.* from unnest($1::text[]) as n (name) "
            "cross join lateral gapless.series_settings(n.name) s",
            to_array(names)
        )
    );
}

std::vector<series_entry> read_series_settings(
    pqxx::transaction_base& transaction, std::string const& after, int limit
)
{
    return to_entries(
        transaction,
        query_rows(
            transaction,
            "select s.* from gapless.series_page(p_after => $1, p_limit => $2) as n (name) "
            "cross join lateral gapless.series_settings(n.name) s "
            "order by s.name collate \"C\"",
            after,
            limit
        )
    );
}

std::vector<number_declaration> read_declared_formats(pqxx::transaction_base& transaction)
{
    std::vector<number_declaration> all;
    for (auto const& row :
         query_rows(transaction, "select declaration from gapless.format_report()"))
        all.push_back(to_declaration(row));
    return all;
}

refusal missing_series(std::string const& name)
{
    return {
        refusal_kind::unknown_series,
        "there is no series '" + name + "'; list them: gapless series list"};
}

}  // namespace gapless
