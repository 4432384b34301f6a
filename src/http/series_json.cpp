#include "http/series_json.hpp"

#include "http/json_writer.hpp"
#include "http/record_json.hpp"

#include <charconv>
#include <chrono>
#include <cmath>

namespace gapless {

namespace {

constexpr double forecast_days_max = 365'000;  // beyond a thousand years no day is named

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

void append_fixed(std::string& json, double number, int decimals)
{
    char digits[64];
    auto const end =
        std::to_chars(digits, digits + sizeof digits, number, std::chars_format::fixed, decimals);
    json.append(digits, end.ptr);
}

/// How long the remaining numbers last at the present rate.
void append_forecast(std::string& json, series_record const& series)
{
    append_name(json, "forecast");
    auto const days_left = to_days_left(series);
    if (!days_left)
    {
        json += R"({"per_day":null,"days_left":null,"exhausted_on":null})";
        return;
    }
    json += R"({"per_day":")";
    append_fixed(json, *series.rate, 1);
    json += R"(","days_left":)";
    append_fixed(json, *days_left, 0);
    json += R"(,"exhausted_on":)";
    if (*days_left > forecast_days_max)
        json += "null";
    else
    {
        auto const today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
        json += '"';
        append_date(json, today + std::chrono::days{static_cast<int>(*days_left)});
        json += '"';
    }
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
    if (series.low_water)
        append_count(json, "low_water", *series.low_water);
    else
        append_name(json, "low_water") += "null";
    append_truth(append_name(json, "paused"), series.paused);
    append_count(json, "issued", series.issued);
    append_text(json, "remaining", series.remaining);
    if (format)
        append_number_or_null(json, "next", *format, series.next);
    else
        append_name(json, "next") += "null";
    append_count(json, "blocks", series.blocks);
    append_optional_text(append_name(json, "reuse_after"), series.reuse_after);
    append_states(json, series.states);
    append_forecast(json, series);
    json += '}';
}

std::optional<double> to_days_left(series_record const& series)
{
    if (!series.rate || *series.rate <= 0)
        return std::nullopt;
    double remaining{};
    auto const& text = series.remaining;
    std::from_chars(text.data(), text.data() + text.size(), remaining);
    return std::floor(remaining / *series.rate);
}

std::string to_etag(series_record const& series)
{
    return '"' + std::to_string(series.version) + '"';
}

}  // namespace gapless
