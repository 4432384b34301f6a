#include "http/number_json.hpp"

#include "domain/format/presentation.hpp"
#include "http/json_writer.hpp"
#include "http/record_json.hpp"

namespace gapless {

namespace {

void append_issuance_name(
    std::string& json, std::string_view name, std::optional<issuance_id> const& id
)
{
    append_name(json, name);
    if (!id)
    {
        json += "null";
        return;
    }
    json += '"';
    append_issuance_id(json, *id);
    json += '"';
}

void append_moment(std::string& json, std::string_view name, database_time moment)
{
    append_name(json, name) += '"';
    append_timestamp(json, moment);
    json += '"';
}

void append_history(std::string& json, std::vector<history_entry> const& history)
{
    append_name(json, "history") += '[';
    for (auto const& entry : history)
    {
        json += json.back() == '[' ? "{" : ",{";
        append_text(json, "kind", entry.kind);
        append_moment(json, "at", entry.at);
        append_text(json, "actor", entry.actor);
        append_optional_text(append_name(json, "reason"), entry.reason);
        json += '}';
    }
    json += ']';
}

void append_hrt(std::string& json, bound_format const& format, std::int64_t serial)
{
    if (format.format().declaration().hrt.empty())
        return;
    if (auto const hrt = to_hrt(format, serial); hrt.has_value())
        append_text(json, "hrt", *hrt);
}

}  // namespace

void append_number_record(
    series_entry const& series, number_record const& number, std::string& json
)
{
    json += '{';
    append_number_or_null(json, "number", series.format, number.serial);
    append_count(json, "serial", number.serial);
    append_text(json, "series", series.name);
    append_text(json, "state", number.state);
    if (number.ordinal)
        append_count(json, "ordinal", *number.ordinal);
    else
        append_name(json, "ordinal") += "null";
    append_count(json, "block", number.block_id);
    append_issuance_name(json, "issuance", number.issuance);
    append_optional_text(append_name(json, "reference"), number.reference);
    append_history(json, number.history);
    append_hrt(json, series.format, number.serial);
    json += '}';
}

void append_ledger_row(series_entry const& series, ledger_row const& row, std::string& json)
{
    auto const& range = row.range;
    json += '{';
    append_issuance_name(json, "id", row.issuance);
    append_text(json, "series", series.name);
    append_issuance_name(json, "issuance", row.issuance);
    append_count(json, "block", range.block_id);
    append_number_or_null(json, "first", series.format, range.serial);
    append_number_or_null(json, "last", series.format, range.last_serial());
    append_decimal(append_name(json, "count"), range.count);
    append_count(json, "ordinal", range.ordinal);
    append_optional_text(append_name(json, "reference"), row.reference);
    append_moment(json, "issued_at", row.issued_at);
    append_count(json, "epoch", row.epoch);
    json += '}';
}

}  // namespace gapless
