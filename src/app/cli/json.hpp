#pragma once

#include "domain/notice.hpp"
#include "domain/records.hpp"
#include "domain/series_entry.hpp"
#include "record/json.hpp"
#include "wire/issuance_json.hpp"
#include "wire/ledger_json.hpp"

#include <nlohmann/json_fwd.hpp>

#include <vector>

/// Records as the wire writes them, to make tables and CSV of: the same members and shapes as over
/// HTTP. Pure.
namespace gapless::cli {

/// Every number is listed, however many there are.
nlohmann::ordered_json to_json(series_entry const& series, issuance const& value);

nlohmann::ordered_json to_json(series_entry const& series, ledger_row const& row);
nlohmann::ordered_json to_json(notice_record const& notice);

/// A record that is described. `Json` is complete where this is called.
template <record Record, class Json = nlohmann::ordered_json>
Json to_json(Record const& whole)
{
    std::string text;
    append_json(text, whole);
    return Json::parse(text);
}

template <record Record, class Json = nlohmann::ordered_json>
Json to_rows(std::vector<Record> const& all)
{
    auto rows = Json::array();
    for (auto const& each : all)
        rows.push_back(to_json(each));
    return rows;
}

}  // namespace gapless::cli
