#include "ledger/ledger_json.hpp"

#include "base/json_writer.hpp"
#include "formats/number_list.hpp"

#include <utility>

namespace gapless {

namespace {

void append_issuance_name(std::string& json, std::string_view name, issuance_id const& id)
{
    append_name(json, name) += '"';
    append_issuance_id(json, id);
    json += '"';
}

}  // namespace

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
    if (!row.states.empty())
    {
        append_name(json, "states");
        char separator = '{';
        for (auto const& [state, count] : row.states)
        {
            json.append(1, std::exchange(separator, ',')).append("\"").append(state).append("\":");
            append_decimal(json, count);
        }
        json += '}';
    }
    json += '}';
}

}  // namespace gapless
