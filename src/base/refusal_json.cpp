#include "base/refusal_json.hpp"

#include "base/json_writer.hpp"

#include <string_view>

namespace gapless {

void append_warnings(std::string& json, std::vector<load_warning> const& warnings)
{
    append_name(json, "warnings") += '[';
    for (auto const& warning : warnings)
    {
        json += json.back() == '[' ? "{" : ",{";
        append_text(json, "code", warning.code);
        append_text(json, "detail", warning.detail);
        json += '}';
    }
    json += ']';
}

void append_sentence(std::string& json, std::string_view name, told const& sentence)
{
    append_text(json, name, sentence.text);
    if (sentence.is_foreign)
        append_text(json, "lang", "en");
}

void append_faults(std::string& json, std::vector<line_fault> const& faults, language wanted)
{
    append_name(json, "faults") += '[';
    for (auto const& fault : faults)
    {
        json += json.back() == '[' ? "{" : ",{";
        append_decimal(append_name(json, "line"), static_cast<std::int64_t>(fault.line));
        append_decimal(append_name(json, "column"), static_cast<std::int64_t>(fault.column));
        append_sentence(json, "what", tell(fault.what, wanted));
        json += '}';
    }
    json += ']';
}

void append_series(std::string& json, std::vector<std::string> const& names)
{
    append_name(json, "series") += '[';
    for (auto const& name : names)
    {
        json += json.back() == '[' ? "" : ",";
        append_json_string(json, name);
    }
    json += ']';
}

void append_gone(std::string& json, std::vector<gone_numbers> const& gone)
{
    append_name(json, "gone") += '[';
    for (auto const& run : gone)
    {
        json += json.back() == '[' ? "{" : ",{";
        append_text(json, "first", run.first);
        append_text(json, "last", run.last);
        append_decimal(append_name(json, "count"), run.count);
        append_text(json, "state", run.state);
        json += '}';
    }
    json += ']';
}

}  // namespace gapless
