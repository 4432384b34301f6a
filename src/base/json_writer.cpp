#include "base/json_writer.hpp"

namespace gapless {

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

void append_optional(
    std::string& json, std::string_view name, std::optional<std::string> const& text
)
{
    if (text)
        append_text(json, name, *text);
    else
        append_name(json, name) += "null";
}

void append_moment(std::string& json, std::string_view name, database_time moment)
{
    append_name(json, name) += '"';
    append_timestamp(json, moment);
    json += '"';
}

void append_reference(std::string& json, std::optional<std::string> const& reference, bool erased)
{
    append_optional(json, "reference", reference);
    if (erased)
        append_truth(append_name(json, "reference_erased"), true);
}

}  // namespace gapless
