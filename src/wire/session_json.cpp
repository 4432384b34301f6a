#include "wire/session_json.hpp"

#include "wire/json_writer.hpp"

#include <array>
#include <string_view>

namespace gapless {

namespace {

constexpr std::array<std::string_view, 4> scopes{"issue", "read", "load", "admin"};

void append_item(std::string& json, std::string_view text)
{
    if (json.back() != '[')
        json += ',';
    append_json_string(json, text);
}

}  // namespace

void append_session(principal const& who, database_record const& of, std::string& json)
{
    json += '{';
    append_count(json, "id", who.token_id);
    append_text(json, "name", who.name);
    append_name(json, "scopes") += '[';
    for (auto const name : scopes)
        if (who.may(*read_scope(name)))
            append_item(json, name);
    json += ']';
    append_name(json, "series") += who.series ? "[" : "null";
    if (who.series)
    {
        for (auto const& name : *who.series)
            append_item(json, name);
        json += ']';
    }
    append_text(json, "time_zone", of.time_zone);
    append_text(json, "today", of.today);
    append_optional(json, "environment", of.environment);
    append_count(json, "last_notice", of.last_notice);
    json += '}';
}

}  // namespace gapless
