#include "notices/notice_json.hpp"

#include "base/json_writer.hpp"
#include "notices/notice_facts.hpp"

#include <nlohmann/json.hpp>

namespace gapless {

namespace {

void append_seq(std::string& json, std::int64_t seq)
{
    if (seq > 0)
        append_count(json, "seq", seq);
    else
        append_name(json, "seq") += "null";
}

}  // namespace

void append_notice(notice_record const& notice, std::string& json)
{
    auto const data = nlohmann::ordered_json::parse(notice.data);
    notice_facts const facts{notice, data};
    json += '{';
    append_text(json, "id", notice.id);
    append_seq(json, notice.seq);
    append_text(json, "kind", notice.kind);
    append_optional(json, "series", notice.series);
    append_moment(json, "at", notice.at);
    append_count(json, "epoch", notice.epoch);
    append_optional(json, "environment", notice.environment);
    append_name(json, "data") += data.dump();
    append_name(json, "text") += '{';
    append_text(json, "en", to_english(facts));
    append_text(json, "de", to_german(facts));
    json += "}}";
}

std::string notice_json(notice_record const& notice)
{
    std::string json;
    append_notice(notice, json);
    return json;
}

}  // namespace gapless
