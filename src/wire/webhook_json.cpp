#include "wire/webhook_json.hpp"

#include "wire/json_writer.hpp"
#include "wire/notice_json.hpp"

#include <string_view>
#include <vector>

namespace gapless {

namespace {

/// Appends a member that is a list of texts, or null: no list, which means all.
void append_list(
    std::string& json, std::string_view name, std::optional<std::vector<std::string>> const& texts
)
{
    append_name(json, name);
    if (!texts)
    {
        json += "null";
        return;
    }
    json += '[';
    for (auto const& text : *texts)
    {
        if (!json.ends_with('['))
            json += ',';
        append_json_string(json, text);
    }
    json += ']';
}

}  // namespace

void append_webhook(webhook_record const& webhook, std::string& json)
{
    json += '{';
    append_count(json, "id", webhook.webhook_id);
    append_text(json, "url", webhook.url);
    append_list(json, "kinds", webhook.kinds);
    append_list(json, "series", webhook.series);
    append_text(json, "state", webhook.state);
    append_count(json, "pending", webhook.pending);
    append_optional(json, "last_error", webhook.last_error);
    append_optional(json, "next_attempt_at", webhook.next_attempt_at);
    append_optional(json, "last_delivered_at", webhook.last_delivered_at);
    append_optional(json, "old_secret_until", webhook.old_secret_until);
    append_optional(json, "environment", webhook.environment);
    append_moment(json, "created_at", webhook.created_at);
    append_text(json, "created_by", webhook.created_by);
    json += '}';
}

void append_secret_webhook(secret_webhook const& webhook, std::string& json)
{
    append_webhook(webhook.record, json);
    if (webhook.secret.empty())
        return;
    json.pop_back();
    append_text(json, "secret", webhook.secret);
    json += '}';
}

std::string delivery_body(notice_record const& notice)
{
    std::string json{'{'};
    append_text(json, "type", notice.kind);
    append_moment(json, "timestamp", notice.at);
    append_name(json, "data");
    append_notice(notice, json);
    json += '}';
    return json;
}

}  // namespace gapless
