#pragma once

#include "record/json.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

/// Records as JSON, as over HTTP, for tables and CSV. Pure.
namespace gapless::cli {

/// `Json` must be complete at the call.
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
