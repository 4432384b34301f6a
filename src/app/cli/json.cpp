#include "app/cli/json.hpp"

#include "wire/notice_json.hpp"

#include <nlohmann/json.hpp>

namespace gapless::cli {

using json = nlohmann::ordered_json;

json to_json(series_entry const& series, issuance const& value)
{
    std::string text;
    append_issuance(series, value, listing::all, text);
    return json::parse(text);
}

json to_json(series_entry const& series, ledger_row const& row)
{
    std::string text;
    append_ledger_row(series, row, text);
    return json::parse(text);
}

json to_json(notice_record const& notice)
{
    return json::parse(notice_json(notice));
}

}  // namespace gapless::cli
