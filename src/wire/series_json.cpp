#include "wire/series_json.hpp"

#include "domain/reserve_cover.hpp"
#include "wire/json_writer.hpp"
#include "wire/number_list.hpp"

#include <algorithm>
#include <charconv>

namespace gapless {

namespace {

void append_params(std::string& json, std::map<std::string, std::string> const& params)
{
    append_name(json, "params") += '{';
    for (auto const& [name, value] : params)
    {
        if (json.back() != '{')
            json += ',';
        append_json_string(json, name);
        json += ':';
        append_json_string(json, value);
    }
    json += '}';
}

void append_states(std::string& json, number_states const& states)
{
    append_name(json, "states") += '{';
    append_count(json, "free", states.free);
    append_count(json, "held", states.held);
    append_count(json, "issued", states.issued);
    append_count(json, "printed", states.printed);
    append_text(json, "voided", states.voided);
    append_count(json, "manifested", states.manifested);
    append_count(json, "returned", states.returned);
    json += '}';
}

void append_reserve(std::string& json, series_record const& series)
{
    append_optional(json, "reserve_numbers", series.reserve_numbers);
    append_count(json, "on_lease", series.on_lease);
    auto const cover = reserve_cover(series);
    append_name(json, "reserve_minutes") +=
        cover ? std::to_string(std::chrono::floor<std::chrono::minutes>(*cover).count()) : "null";
}

void append_fixed(std::string& json, double number, int decimals)
{
    char digits[64];
    auto const end =
        std::to_chars(digits, digits + sizeof digits, number, std::chars_format::fixed, decimals);
    json.append(digits, end.ptr);
}

void append_days(std::string& json, std::string_view name, double days)
{
    append_fixed(append_name(json, name), days, 0);
}

void append_day(
    std::string& json, std::string_view name, std::optional<std::chrono::sys_days> const& day
)
{
    append_name(json, name);
    if (!day)
    {
        json += "null";
        return;
    }
    json += '"';
    append_date(json, *day);
    json += '"';
}

void append_members(std::string& json, forecast const& ahead)
{
    append_name(json, "per_day") += '"';
    append_fixed(json, ahead.per_day, 1);
    json += '"';
    append_days(json, "days_left", ahead.days_left);
    append_day(json, "exhausted_on", ahead.exhausted_on);
    append_days(json, "days_left_p10", ahead.days_left_p10);
    append_days(json, "days_left_p90", ahead.days_left_p90);
    append_day(json, "exhausted_from", ahead.exhausted_from);
    append_day(json, "exhausted_to", ahead.exhausted_to);
    append_day(json, "order_by", ahead.order_by);
    append_name(json, "lead_days") += std::to_string(ahead.lead_days);
}

void append_forecast(std::string& json, std::optional<forecast> const& ahead)
{
    append_name(json, "forecast");
    if (!ahead)
    {
        json += R"({"per_day":null,"days_left":null,"exhausted_on":null,"days_left_p10":null,)"
                R"("days_left_p90":null,"exhausted_from":null,"exhausted_to":null,)"
                R"("order_by":null,"lead_days":null})";
        return;
    }
    json += '{';
    append_members(json, *ahead);
    json += '}';
}

}  // namespace

void append_series(series_record const& series, bound_format const* format, std::string& json)
{
    json += '{';
    append_text(json, "name", series.name);
    append_text(json, "carrier", series.carrier);
    append_text(json, "space", series.space);
    append_text(json, "format", series.format);
    append_params(json, series.params);
    append_text(json, "on_release", series.on_release);
    append_text(json, "on_expiry", series.on_expiry);
    append_optional(json, "low_water", series.low_water);
    append_truth(append_name(json, "paused"), series.paused);
    append_count(json, "issued", series.issued);
    append_text(json, "remaining", series.remaining);
    if (format)
        append_number_or_null(json, "next", *format, series.next);
    else
        append_name(json, "next") += "null";
    append_count(json, "blocks", series.blocks);
    append_optional(json, "reuse_after", series.reuse_after);
    append_reserve(json, series);
    append_states(json, series.states);
    append_forecast(json, series.ahead);
    json += '}';
}

void append_use(series_use const& use, std::size_t days_max, std::string& json)
{
    auto const& numbers = use.used.numbers;
    auto const shown = static_cast<int>(std::min(days_max, numbers.size()));
    json += '{';
    append_text(json, "series", use.series.name);
    append_day(json, "today", use.used.today);
    append_count(json, "used_today", use.used.used_today);
    append_name(json, "days") += '[';
    for (auto back = shown; back > 0; --back)
    {
        json += json.back() == '[' ? "{" : ",{";
        append_day(json, "date", use.used.today - std::chrono::days{back});
        append_count(json, "numbers", *(numbers.end() - back));
        json += '}';
    }
    json += ']';
    append_text(json, "remaining", use.series.remaining);
    append_forecast(json, use.series.ahead);
    json += '}';
}

void append_forecasts(std::vector<series_record> const& all, std::string& json)
{
    json += '{';
    for (auto const& series : all)
    {
        if (!series.ahead)
            continue;
        if (json.back() != '{')
            json += ',';
        append_json_string(json, series.name);
        json += ":{";
        append_members(json, *series.ahead);
        append_text(json, "remaining", series.remaining);
        json += '}';
    }
    json += '}';
}

}  // namespace gapless
