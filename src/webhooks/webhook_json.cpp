#include "webhooks/webhook_json.hpp"

#include "base/json_writer.hpp"
#include "notices/notice_json.hpp"

namespace gapless {

std::string delivery_body(notice_record const& notice, bool missed)
{
    std::string json{'{'};
    append_text(json, "type", notice.kind);
    append_moment(json, "timestamp", notice.at);
    append_name(json, "data");
    append_notice(notice, json);
    if (missed)
        json += R"(,"missed":true)";
    json += '}';
    return json;
}

}  // namespace gapless
