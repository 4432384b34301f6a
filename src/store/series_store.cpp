#include "store/series_store.hpp"

#include "domain/format/number_program.hpp"
#include "store/calendar_store.hpp"
#include "store/columns.hpp"
#include "store/format_store.hpp"
#include "store/query.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace gapless {

namespace {

std::map<std::string, std::string> to_params(std::string const& text)
{
    return nlohmann::json::parse(text).get<std::map<std::string, std::string>>();
}

series_record to_series(pqxx::row const& row)
{
    series_record series;
    series.series_id = row["series_id"].as<std::int32_t>();
    series.name = row["name"].as<std::string>();
    series.carrier = row["carrier"].as<std::string>();
    series.space = row["space"].as<std::string>();
    series.format = row["format"].as<std::string>();
    series.params = to_params(row["params"].as<std::string>());
    series.on_release = row["on_release"].as<std::string>();
    series.on_expiry = row["on_expiry"].as<std::string>();
    series.low_water = optional_number(row["low_water"]);
    series.paused = row["paused"].as<bool>();
    series.version = row["version"].as<std::int32_t>();
    series.issued = row["issued"].as<std::int64_t>();
    series.remaining = row["remaining"].as<std::string>();
    series.next = optional_number(row["next"]);
    series.blocks = row["blocks"].as<std::int64_t>();
    series.reuse_after = optional_text(row["reuse_after"]);
    if (has_column(row, "reserve_numbers"))  // from interface 3 on
    {
        series.reserve_numbers = optional_number(row["reserve_numbers"]);
        series.on_lease = row["on_lease"].as<std::int64_t>();
        series.overdue = row["overdue"].as<std::int64_t>();
    }
    series.states.free = row["free"].as<std::int64_t>();
    series.states.held = row["held"].as<std::int64_t>();
    series.states.issued = row["plain"].as<std::int64_t>();
    series.states.printed = row["printed"].as<std::int64_t>();
    series.states.voided = row["voided"].as<std::string>();
    series.states.manifested = row["manifested"].as<std::int64_t>();
    series.states.returned = row["returned"].as<std::int64_t>();
    auto const used = to_consumption(row);
    series.ahead = to_forecast(
        used,
        {.remaining = row["remaining"].as<double>(),
         .lead_days = row["lead_days"].as<std::int32_t>()}
    );
    series.used_a_day =
        std::max(static_cast<double>(used.used_today), series.ahead ? series.ahead->per_day : 0);
    return series;
}

refusal no_series(std::string const& name)
{
    return {refusal_kind::unknown_series, "there is no series '" + name + "'"};
}

}  // namespace

std::vector<series_record> read_series(
    pqxx::transaction_base& transaction, std::optional<std::string> const& name
)
{
    std::vector<series_record> all;
    for (auto const& row : query_rows(transaction, "select * from gapless.series_report($1)", name))
        all.push_back(to_series(row));
    return all;
}

std::vector<series_record> read_series_page(
    pqxx::transaction_base& transaction, series_filter const& wanted
)
{
    std::vector<series_record> all;
    auto const rows = query_rows(
        transaction,
        "select r.* from gapless.series_page(p_visible => $1, p_carrier => $2, p_state => $3, "
        "p_search => $4, p_after => $5, p_limit => $6) as page (name) "
        "cross join lateral gapless.series_report(page.name) r order by r.name",
        to_array_or_null(wanted.visible),
        wanted.carrier,
        wanted.state,
        wanted.search,
        wanted.after,
        wanted.limit
    );
    for (auto const& row : rows)
        all.push_back(to_series(row));
    return all;
}

result<series_record> read_one_series(pqxx::transaction_base& transaction, std::string const& name)
{
    auto found = read_series(transaction, name);
    if (found.empty())
        return no_series(name);
    return std::move(found.front());
}

result<series_use> read_series_use(pqxx::transaction_base& transaction, std::string const& name)
{
    auto const found = query_rows(transaction, "select * from gapless.series_report($1)", name);
    if (found.empty())
        return no_series(name);
    return series_use{to_series(found[0]), to_consumption(found[0])};
}

result<series_record> create_series(
    pqxx::transaction_base& transaction, series_draft const& draft, std::string const& actor
)
{
    auto const format = bind_format(transaction, draft.format.value_or("plain"), draft.params);
    if (format.has_error())
        return format.error();
    auto const params = nlohmann::json(draft.params).dump();
    if (draft.reserve_numbers)  // which interface 3 takes
        execute(
            transaction,
            "select gapless.series_create(p_name => $1, p_carrier => $2, p_space => $3, "
            "p_format => $4, p_params => $5::jsonb, p_on_release => $6, p_on_expiry => $7, "
            "p_low_water => $8, p_actor => $9, p_reuse_after => $10, p_program => $11::jsonb, "
            "p_reserve_numbers => $12)",
            draft.name,
            draft.carrier,
            draft.space,
            draft.format,
            params,
            draft.on_release,
            draft.on_expiry,
            draft.low_water,
            actor,
            draft.reuse_after,
            to_program(*format),
            draft.reserve_numbers
        );
    else
        execute(
            transaction,
            "select gapless.series_create(p_name => $1, p_carrier => $2, p_space => $3, "
            "p_format => $4, p_params => $5::jsonb, p_on_release => $6, p_on_expiry => $7, "
            "p_low_water => $8, p_actor => $9, p_reuse_after => $10, p_program => $11::jsonb)",
            draft.name,
            draft.carrier,
            draft.space,
            draft.format,
            params,
            draft.on_release,
            draft.on_expiry,
            draft.low_water,
            actor,
            draft.reuse_after,
            to_program(*format)
        );
    return read_one_series(transaction, draft.name);
}

series_record change_series(
    pqxx::transaction_base& transaction,
    std::string const& name,
    series_change const& change,
    std::string const& actor
)
{
    nlohmann::json changes = nlohmann::json::object();
    if (change.paused)
        changes["paused"] = *change.paused;
    if (change.low_water)
        changes["low_water"] =
            *change.low_water ? nlohmann::json(**change.low_water) : nlohmann::json();
    if (change.on_release)
        changes["on_release"] = *change.on_release;
    if (change.on_expiry)
        changes["on_expiry"] = *change.on_expiry;
    if (change.reuse_after)
        changes["reuse_after"] =
            *change.reuse_after ? nlohmann::json(**change.reuse_after) : nlohmann::json();
    if (change.reserve_numbers)
        changes["reserve_numbers"] =
            *change.reserve_numbers ? nlohmann::json(**change.reserve_numbers) : nlohmann::json();
    execute(
        transaction,
        "select gapless.series_change(p_name => $1, p_changes => $2::jsonb, p_version => $3, "
        "p_actor => $4)",
        name,
        changes.dump(),
        change.if_version,
        actor
    );
    return read_one_series(transaction, name).value();
}

}  // namespace gapless
