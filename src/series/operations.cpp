#include "series/operations.hpp"

#include "formats/format_store.hpp"
#include "formats/number_program.hpp"
#include "formats/series_entry.hpp"
#include "postgres/sql.hpp"
#include "record/operates.hpp"
#include "reserve/lease.hpp"
#include "series/reserve_cover.hpp"
#include "stock/calendar_store.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace gapless::series {

namespace {

constexpr std::array<std::string_view, 5> interval_units{"year", "mon", "month", "week", "day"};
constexpr std::size_t interval_characters_max = 40;  // 40,000 years at most

/// Takes "12 months" or "1 day " from the front of a text.
bool take_duration(std::string_view& text) noexcept
{
    constexpr std::size_t digits_max = 4;
    auto const digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits < 1 || digits > digits_max || text.front() == '0' ||
        !text.substr(digits).starts_with(' '))
        return false;
    text.remove_prefix(digits + 1);
    auto const unit = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(unit.size() + 1, text.size()));
    auto const singular = unit.ends_with('s') ? unit.substr(0, unit.size() - 1) : unit;
    return std::ranges::find(interval_units, singular) != interval_units.end();
}

/// "12 months", "1 year 10 days": valid values of reuse_after.
bool is_interval(std::string_view text) noexcept
{
    auto fits = !text.empty() && text.size() <= interval_characters_max;
    while (fits && !text.empty())
        fits = take_duration(text);
    return fits;
}

}  // namespace

void check(series_draft const& draft)
{
    constexpr std::string_view allowed{"abcdefghijklmnopqrstuvwxyz0123456789._-"};
    constexpr std::size_t characters_max = 63;
    auto const& name = draft.name;
    if (name.empty() || name.size() > characters_max || name.find_first_of("._-") == 0 ||
        name.find_first_not_of(allowed) != std::string::npos)
        throw wrong_field{
            refusal_kind::out_of_range,
            " has to be 1 to 63 characters of a-z, 0-9, '.', '_' and '-', a letter or digit first",
            name_of(&series_origin::name)};
    check(static_cast<series_limits const&>(draft));
}

void check(series_limits const& wanted)
{
    auto const& interval = wanted.reuse_after.value;
    if (interval && !is_interval(*interval))
        throw wrong_field{
            refusal_kind::out_of_range,
            R"( has to be an interval: "12 months", "1 year 10 days")",
            name_of(&series_limits::reuse_after)};
    auto const& reserve = wanted.reserve_numbers.value;
    if (reserve && (reserve->value < 1 || reserve->value > lease_numbers_max))
        throw wrong_field{
            refusal_kind::out_of_range,
            " has to be 1 to " + std::to_string(lease_numbers_max),
            name_of(&series_limits::reserve_numbers)};
}

void check(series_change const& wanted)
{
    check(static_cast<series_limits const&>(wanted));
    if (wanted.paused_reason)
        check_reason(wanted.paused_reason.value, name_of(&series_change::paused_reason));
}

void check(series_pause const& wanted)
{
    if (wanted.reason)
        check_reason(*wanted.reason, name_of(&series_pause::reason));
}

namespace {

told_forecast tell(std::optional<gapless::forecast> const& ahead)
{
    if (!ahead)
        return {};
    auto const days = [](std::optional<double> const& left) {
        return left ? std::optional{rounded<0>{*left}} : std::nullopt;
    };
    return {
        .per_day = rounded<1>{ahead->per_day},
        .days_left = days(ahead->days_left),
        .exhausted_on = ahead->exhausted_on,
        .days_left_p10 = days(ahead->days_left_p10),
        .days_left_p90 = days(ahead->days_left_p90),
        .exhausted_from = ahead->exhausted_from,
        .exhausted_to = ahead->exhausted_to,
        .order_by = ahead->order_by,
        .lead_days = ahead->lead_days};
}

std::optional<std::int64_t> to_reserve_minutes(known_series const& of)
{
    if (!of.reserve_numbers)
        return std::nullopt;
    auto const lasts = reserve_lasts(*of.reserve_numbers, of.used_a_day);
    if (!lasts)
        return std::nullopt;
    return std::chrono::floor<std::chrono::minutes>(*lasts).count();
}

known_series to_series(reported_series reported, pqxx::row const& row)
{
    auto const count = [&](char const* column) { return row[column].as<std::int64_t>(); };
    known_series made;
    static_cast<reported_series&>(made) = std::move(reported);
    made.series_id = row["series_id"].as<std::int32_t>();
    if (has_column(row, "reserve_numbers"))  // since interface 3
    {
        made.reserve_numbers = optional_number(row["reserve_numbers"]);
        made.on_lease = count("on_lease");
        made.overdue = count("overdue");
    }
    made.states = {
        .free = count("free"),
        .held = count("held"),
        .issued = count("plain"),
        .printed = count("printed"),
        .voided = row["voided"].as<std::string>(),
        .manifested = count("manifested"),
        .returned = count("returned")};
    made.used = to_consumption(row);
    stock left{
        .remaining = row["remaining"].as<double>(),
        .lead_days = row["lead_days"].as<std::int32_t>()};
    if (has_column(row, "valid_days"))  // since interface 3
        left.valid_days = optional_number(row["valid_days"]);
    made.forecast = tell(to_forecast(made.used, left));
    made.used_a_day = std::max(
        static_cast<double>(made.used.used_today),
        made.forecast.per_day.value_or(rounded<1>{}).value
    );
    made.reserve_minutes = to_reserve_minutes(made);
    return made;
}

std::vector<known_series> to_series(pqxx::result const& rows)
{
    std::vector<known_series> all;
    row_reader<reported_series> const read_row{rows};
    for (auto const& row : rows)
        all.push_back(to_series(read_row(row), row));
    return all;
}

/// Series as shown. A format with its parameters is looked up only once.
std::vector<series> print(pqxx::transaction_base& database, std::vector<known_series> const& found)
{
    std::map<std::pair<std::string, texts_by_name>, bound_format> formats;
    std::vector<series> shown{found.begin(), found.end()};
    for (auto& each : shown)
    {
        if (!each.next)
            continue;
        std::pair const of{each.format, each.params};
        auto format = formats.find(of);
        if (format == formats.end())
            format =
                formats.emplace(of, value_or_throw(bind_format(database, each.format, each.params)))
                    .first;
        print_numbers(each, format->second);
    }
    return shown;
}

std::vector<series> list(
    pqxx::transaction_base& database, series_filter const& wanted, viewer const& sees
)
{
    auto const rows = query_rows(
        database,
        "select * from gapless.series_report(p_names => array(select page.name from "
        "gapless.series_page(p_visible => $1, p_carrier => $2, p_state => $3, p_search => $4, "
        "p_after => $5, p_limit => case when $7::text is null then $6::integer end) as page (name) "
        "where $7 is null or gapless.issued_under(page.name, $7) order by page.name limit $6))",
        to_sql(sees.series),
        wanted.carrier,
        to_sql(wanted.state),
        wanted.q,
        wanted.after,
        wanted.limit + 1,
        wanted.reference
    );
    return print(database, to_series(rows));
}

/// The parameters of series_create.
struct stored_draft : series_draft
{
    std::string program;
};
GAPLESS_RECORD(stored_draft, (series_draft), (program, "What writes its numbers, as jsonb."))

/// The changes in the format of series_change.
std::string to_changes_json(series_change const& wanted)
{
    std::string json{'{'};
    for_each_field<series_change>([&](auto each) {
        if constexpr (is_given<typename decltype(each)::type>)
        {
            auto const& change = each.of(wanted);
            if (!change)
                return;
            append_json_string(json += json.back() == '{' ? "" : ",", each.name);
            append_json(json += ':', to_sql(change.value));
        }
    });
    return json + '}';
}

/// Over HTTP, the token's right to see the series of the path was checked before.
series show(pqxx::transaction_base& database, series_name const& which, viewer const&)
{
    return read(database, which);
}

series pause(pqxx::transaction_base& database, series_pause const& of, caller const& by)
{
    series_change wanted;
    wanted.series = of.series;
    wanted.paused = {true, true};
    if (of.reason)
        wanted.paused_reason = {true, *of.reason};
    return change(database, wanted, by);
}

series resume(pqxx::transaction_base& database, series_name const& which, caller const& by)
{
    series_change wanted;
    wanted.series = which.series;
    wanted.paused = {true, false};
    return change(database, wanted, by);
}

consumption read_consumption(pqxx::transaction_base& database, consumption_wish const& wanted)
{
    auto const known = value_or_throw(find(database, wanted.series));
    auto const& numbers = known.used.numbers;
    consumption told{
        .series = known.name,
        .today = known.used.today,
        .used_today = known.used.used_today,
        .days = {},
        .remaining = known.remaining,
        .forecast = known.forecast};
    auto const kept = static_cast<std::int64_t>(numbers.size());
    for (auto back = std::min<std::int64_t>(wanted.days, kept); back > 0; --back)
        told.days.push_back({told.today - std::chrono::days{back}, *(numbers.end() - back)});
    return told;
}

// In the order of `gapless series --help`.
constexpr operation table[]{
    operates<&create>({
        .verb = "create",
        .method = http_method::post,
        .path = "/v1/series",
        .needs = scope::admin,
        .summary = "Create a series",
        .status = 201,
        .locks_itself = true,
        .done = "created; its first block: gapless block load {name} FIRST LAST",
    }),
    operates<&list>({
        .verb = "list",
        .method = http_method::get,
        .path = "/v1/series",
        .needs = scope::read,
        .summary = "The series the token sees",
        .help = "List the series",
    }),
    operates<&show>({
        .verb = "show",
        .method = http_method::get,
        .path = "/v1/series/{series}",
        .needs = scope::read,
        .summary = "A series, with its issued and remaining numbers",
        .help = "Show one series",
    }),
    operates<&change>({
        .verb = "set",
        .method = http_method::patch,
        .path = "/v1/series/{series}",
        .needs = scope::admin,
        .summary = "Change what an operator may change",
        .help = "Change settings of a series",
        .id = "changeSeries",
    }),
    operates<&pause>({
        .verb = "pause",
        .method = http_method::post,
        .summary = "Stop issuing until resumed",
    }),
    operates<&resume>({
        .verb = "resume",
        .method = http_method::post,
        .summary = "Issue again",
    }),
};

constexpr operation report_table[]{
    operates<&read_consumption>({
        .method = http_method::get,
        .path = "/v1/series/{series}/consumption",
        .needs = scope::read,
        .summary = "What was used of a series by day, and how long the rest lasts",
    }),
};

/// A forecast, with the number of remaining numbers.
struct foreseen : told_forecast
{
    std::string remaining;
};
GAPLESS_RECORD(foreseen, (told_forecast), (remaining, "Numbers that can still be issued."))

}  // namespace

std::vector<known_series> read_known(pqxx::transaction_base& database, std::string const& name)
{
    return to_series(query_rows(database, "select * from gapless.series_report($1)", name));
}

std::vector<series_identity> read_identities(pqxx::transaction_base& database)
{
    std::vector<series_identity> all;
    for (auto const& row : query_rows(
             database, "select series_id, name from gapless.series_settings() order by name"
         ))
        all.push_back({row[0].as<std::int32_t>(), row[1].as<std::string>()});
    return all;
}

std::vector<watched_series> read_watched(pqxx::transaction_base& database, std::string const& after)
{
    auto const rows = query_rows(
        database,
        "select * from gapless.series_report(p_names => array("
        "select gapless.series_page(p_after => $1, p_limit => $2)))",
        after,
        watched_at_once
    );
    std::vector<watched_series> all;
    for (auto& each : to_series(rows))
        all.push_back(
            {.name = std::move(each.name),
             .issued = each.issued,
             .remaining = std::move(each.remaining),
             .blocks = each.blocks.value,
             .low_water = each.low_water,
             .paused = each.paused,
             .on_lease = each.on_lease,
             .overdue = each.overdue,
             .used_a_day = each.used_a_day,
             .forecast = each.forecast,
             .today = each.used.today}
        );
    return all;
}

result<known_series> find(pqxx::transaction_base& database, std::string const& name)
{
    auto found = read_known(database, name);
    if (found.empty())
        return missing_series(name);
    return std::move(found.front());
}

std::string to_forecasts_json(std::vector<watched_series> const& all)
{
    std::string json{'{'};
    for (auto const& each : all)
    {
        if (!each.forecast.per_day)
            continue;
        append_json_string(json += json.back() == '{' ? "" : ",", each.name);
        auto const& order_by = each.forecast.order_by;
        if (order_by && *order_by <= each.today + std::chrono::days{1})
            append_json(json += ':', foreseen{each.forecast, each.remaining});
        else
            json += ":{}";
    }
    return json + '}';
}

series read(pqxx::transaction_base& database, series_name const& which)
{
    return std::move(print(database, {value_or_throw(find(database, which.series))}).front());
}

series create(
    pqxx::transaction_base& database,
    series_draft const& draft,
    caller const& by,
    viewer const& sees
)
{
    if (sees.series && std::ranges::find(*sees.series, draft.name) == sees.series->end())
        throw refused{refusal_kind::forbidden, "The token is limited to series of other names."};
    auto const format =
        value_or_throw(bind_format(database, draft.format.value_or("plain"), draft.params));
    call(database, "series_create", stored_draft{draft, to_program(format)}, by);
    return read(database, {draft.name});
}

series change(pqxx::transaction_base& database, series_change const& wanted, caller const& by)
{
    execute(
        database,
        "select gapless.series_change(p_name => $1, p_changes => $2::jsonb, p_version => $3, "
        "p_actor => $4)",
        wanted.series,
        to_changes_json(wanted),
        wanted.if_match.version,
        by.name
    );
    return read(database, {wanted.series});
}

constinit feature const administration{
    "series", "Named streams of numbers", table, "series", "series"};

constinit feature const reports{
    "consumption", "What was used of a series by day", report_table, "series"};

}  // namespace gapless::series
