#include "http/record_json.hpp"

#include "http/issuance_json.hpp"
#include "http/json_writer.hpp"
#include "store/series_store.hpp"

#include <string_view>

namespace gapless {

void append_number_or_null(
    std::string& json,
    std::string_view name,
    bound_format const& format,
    std::optional<std::int64_t> serial
)
{
    append_name(json, name);
    if (!serial)
    {
        json += "null";
        return;
    }
    json += '"';
    append_number(format, *serial, json);
    json += '"';
}

void append_block(
    series_entry const& series, block_record const& block, bool dry_run, std::string& json
)
{
    json += '{';
    if (dry_run)
        append_name(json, "id") += "null";
    else
        append_count(json, "id", block.block_id);
    append_text(json, "series", block.series);
    append_number_or_null(json, "first", series.format, block.first);
    append_number_or_null(json, "last", series.format, block.last);
    append_count(json, "count", block.count);
    append_count(json, "issued", block.issued);
    append_count(json, "remaining", block.remaining);
    append_number_or_null(json, "next", series.format, block.next);
    append_text(json, "state", block.state);
    append_optional_text(append_name(json, "reference"), block.reference);
    append_name(json, "valid_until");
    if (block.valid_until)
        append_json_string(json, to_valid_until(*block.valid_until));
    else
        json += "null";
    append_decimal(append_name(json, "position"), block.position);
    append_count(json, "first_serial", block.first);
    append_count(json, "last_serial", block.last);
    append_decimal(append_name(json, "cycle"), block.cycle);
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
    append_text(json, "status", found.ready() ? "ok" : found.stale ? "stale" : "unavailable");
    append_truth(append_name(json, "database"), found.database);
    append_truth(append_name(json, "schema"), found.schema);
    append_truth(append_name(json, "primary"), found.primary);
    append_truth(append_name(json, "lane"), found.lane);
    append_truth(append_name(json, "fenced"), found.fenced);
    append_truth(append_name(json, "safe"), found.safe);
    append_truth(append_name(json, "accept_risk"), found.accept_risk);
    append_text(json, "detail", found.detail);
    if (found.epoch > 0)
        append_count(json, "epoch", found.epoch);
    else
        append_name(json, "epoch") += "null";
    append_name(json, "warnings") += '[';
    for (auto const& warning : found.warnings)
    {
        if (json.back() != '[')
            json += ',';
        json += '{';
        append_text(json, "check", warning.name);
        append_text(json, "severity", name_of(warning.severity));
        append_text(json, "value", warning.value);
        append_text(json, "advice", warning.advice);
        json += '}';
    }
    json += "]}";
}

}  // namespace gapless
