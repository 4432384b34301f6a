#include "harness/fake_service.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>

namespace gapless::test {

namespace {

constexpr database_time webhook_moment{std::chrono::microseconds{1'795'212'311'123'456}};

webhook_record to_record(webhook_draft const& draft)
{
    webhook_record webhook;
    webhook.webhook_id = 9;
    webhook.url = draft.url;
    webhook.kinds = draft.kinds;
    webhook.series = draft.series;
    webhook.state = "active";
    webhook.created_at = webhook_moment;
    webhook.created_by = "token:all";
    return webhook;
}

}  // namespace

boost::asio::awaitable<result<void>> fake_service::check(webhook_url url)
{
    co_await boost::asio::post(io_, boost::asio::use_awaitable);
    checked_urls.push_back(std::move(url));
    if (refuses_url)
        co_return *refuses_url;
    co_return result<void>{};
}

result<webhook_record> fake_service::find_webhook(std::int32_t id) const
{
    auto const found = std::ranges::find(webhooks, id, &webhook_record::webhook_id);
    if (found == webhooks.end())
        return refusal{refusal_kind::not_found, "there is no such webhook"};
    return *found;
}

void fake_service::answer_webhooks()
{
    answer<cases::list_webhooks>([this](auto const& wanted) {
        std::vector<webhook_record> found;
        for (auto const& webhook : webhooks)
            if (webhook.webhook_id > wanted.page.after.value_or(0) &&
                found.size() < static_cast<std::size_t>(*wanted.page.limit))
                found.push_back(webhook);
        return found;
    });
    answer<cases::read_webhook>([this](auto const& wanted) { return find_webhook(wanted.id); });
    answer<cases::create_webhook>([this](auto const& wanted) {
        webhook_drafts.push_back(wanted.draft);
        return secret_webhook{to_record(wanted.draft), "whsec_c2VjcmV0"};
    });
    answer<cases::rotate_webhook>([this](auto const& wanted) -> result<secret_webhook> {
        webhook_acts.push_back("rotate " + std::to_string(wanted.id));
        auto found = find_webhook(wanted.id);
        if (found.has_error())
            return found.error();
        return secret_webhook{std::move(*found), "whsec_bmV3"};
    });
    answer<cases::retry_webhook>([this](auto const& wanted) {
        webhook_acts.push_back("retry " + std::to_string(wanted.id));
        return find_webhook(wanted.id);
    });
    answer<cases::test_webhook>([this](auto const& wanted) {
        webhook_acts.push_back("test " + std::to_string(wanted.id));
        return find_webhook(wanted.id);
    });
    answer<cases::delete_webhook>([this](auto const& wanted) -> result<std::int32_t> {
        webhook_acts.push_back("delete " + std::to_string(wanted.id));
        if (auto const found = find_webhook(wanted.id); found.has_error())
            return found.error();
        std::erase_if(webhooks, [&](auto const& each) { return each.webhook_id == wanted.id; });
        return wanted.id;
    });
}

}  // namespace gapless::test
