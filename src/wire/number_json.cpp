#include "wire/number_json.hpp"

#include "domain/format/presentation.hpp"
#include "domain/number_on_lease.hpp"
#include "wire/json_writer.hpp"
#include "wire/number_list.hpp"

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

void append_history(std::string& json, std::vector<history_entry> const& history)
{
    append_name(json, "history") += '[';
    for (auto const& entry : history)
    {
        json += json.back() == '[' ? "{" : ",{";
        append_text(json, "kind", entry.kind);
        append_moment(json, "at", entry.at);
        append_text(json, "actor", entry.actor);
        append_optional(json, "reason", entry.reason);
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
    append_optional(json, "ordinal", number.ordinal);
    append_count(json, "block", number.block_id);
    append_decimal(append_name(json, "cycle"), number.cycle);
    append_issuance_name(json, "issuance", number.issuance);
    append_reference(json, number.reference, number.reference_erased);
    if (number.recalled)
        append_truth(append_name(json, "recalled"), true);
    if (auto const lease = find_lease(number))
    {
        append_name(json, "on_lease") += '{';
        append_text(json, "host", lease->host);
        append_moment(json, "since", lease->since);
        json += '}';
    }
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
    append_reference(json, row.reference, row.reference_erased);
    append_moment(json, "issued_at", row.issued_at);
    append_count(json, "epoch", row.epoch);
    if (!row.fate.empty())
        append_text(json, "ended", row.fate);
    json += '}';
}

}  // namespace gapless
