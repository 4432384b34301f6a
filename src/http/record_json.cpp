#include "http/record_json.hpp"

#include "http/issuance_json.hpp"
#include "http/json_writer.hpp"
#include "store/series_store.hpp"

#include <string_view>

namespace gapless {

namespace {

/// Appends `,"name":`, without the comma after an opening brace.
std::string& append_name(std::string& json, std::string_view name)
{
    if (json.back() != '{')
        json += ',';
    json += '"';
    json += name;
    return json += "\":";
}

void append_text(std::string& json, std::string_view name, std::string_view text)
{
    append_json_string(append_name(json, name), text);
}

void append_count(std::string& json, std::string_view name, std::int64_t count)
{
    append_quoted_decimal(append_name(json, name), count);
}

void append_next(std::string& json, series_entry const& series, std::optional<std::int64_t> serial)
{
    append_name(json, "next");
    if (!serial)
    {
        json += "null";
        return;
    }
    json += '"';
    append_number(series, *serial, json);
    json += '"';
}

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

}  // namespace

void append_series(series_record const& series, std::string& json)
{
    series_entry const entry{.series_id = series.series_id, .name = series.name};
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
    append_next(json, entry, series.next);
    append_count(json, "blocks", series.blocks);
    json += '}';
}

void append_block(block_record const& block, bool dry_run, std::string& json)
{
    series_entry const entry{.series_id = 0, .name = block.series};
    json += '{';
    if (dry_run)
        append_name(json, "id") += "null";
    else
        append_count(json, "id", block.block_id);
    append_text(json, "series", block.series);
    append_name(json, "first") += '"';
    append_number(entry, block.first, json);
    json += '"';
    append_name(json, "last") += '"';
    append_number(entry, block.last, json);
    json += '"';
    append_count(json, "count", block.count);
    append_count(json, "issued", block.issued);
    append_count(json, "remaining", block.remaining);
    append_next(json, entry, block.next);
    append_text(json, "state", block.state);
    append_optional_text(append_name(json, "reference"), block.reference);
    append_name(json, "valid_until");
    if (block.valid_until)
        append_json_string(json, to_valid_until(*block.valid_until));
    else
        json += "null";
    append_decimal(append_name(json, "position"), block.position);
    if (dry_run)
        append_truth(append_name(json, "dry_run"), true);
    json += '}';
}

void append_verification(verification const& checked, std::string& json)
{
    json += R"({"findings":[)";
    for (auto const& finding : checked.findings)
    {
        if (json.back() != '[')
            json += ',';
        json += '{';
        append_text(json, "series", finding.series);
        append_text(json, "at", finding.at);
        append_text(json, "what", finding.what);
        json += '}';
    }
    json += R"(],"checked":{)";
    append_count(json, "ledger_rows", checked.ledger_rows);
    append_text(json, "numbers", checked.numbers);
    append_count(json, "blocks", checked.blocks);
    json += "}}";
}

void append_readiness(readiness const& found, std::string& json)
{
    json += '{';
    append_text(json, "status", found.ready() ? "ok" : "unavailable");
    append_truth(append_name(json, "database"), found.database);
    append_truth(append_name(json, "schema"), found.schema);
    append_truth(append_name(json, "primary"), found.primary);
    append_truth(append_name(json, "lane"), found.lane);
    append_text(json, "detail", found.detail);
    if (found.epoch > 0)
        append_count(json, "epoch", found.epoch);
    else
        append_name(json, "epoch") += "null";
    json += '}';
}

std::string to_etag(series_record const& series)
{
    return '"' + std::to_string(series.version) + '"';
}

}  // namespace gapless
