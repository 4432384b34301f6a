#include "http/webhook_handlers.hpp"

#include "cases/webhooks.hpp"
#include "http/list_page.hpp"
#include "http/path_id.hpp"
#include "http/request_body.hpp"
#include "wire/webhook_json.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace gapless {

namespace asio = boost::asio;

namespace {

refusal no_such_webhook()
{
    return {refusal_kind::not_found, "There is no webhook of this id."};
}

std::string path_of(std::int32_t id)
{
    return "/v1/webhooks/" + std::to_string(id);
}

/// Each text once, in the order given; none where there is no list.
std::optional<std::vector<std::string>> distinct_items(text_list const& list)
{
    if (!list.given)
        return std::nullopt;
    std::vector<std::string> once;
    for (auto const& text : list.items)
        if (std::ranges::find(once, text) == once.end())
            once.push_back(text);
    return once;
}

/// What is to be created, and where that delivers to.
struct wanted_webhook
{
    webhook_draft draft;
    webhook_url url;
};

result<wanted_webhook> read_webhook_draft(exchange const& current)
{
    std::optional<std::string> url;
    text_list kinds;
    text_list series;
    std::array<json_field, 3> const fields{{{"url", &url}, {"kinds", &kinds}, {"series", &series}}};
    if (auto const read = read_body(current, fields); read.has_error())
        return read.error();
    if (!url)
        return refusal{refusal_kind::malformed_request, "The field \"url\" is missing."};
    auto found = read_webhook_url(*url);
    if (found.has_error())
        return refusal{found.error().kind, "The field \"url\": " + found.error().detail + "."};
    webhook_draft draft{
        .url = found->text, .kinds = distinct_items(kinds), .series = distinct_items(series)};
    if (auto const fault = cases::find_fault(draft))
        return refusal{
            refusal_kind::out_of_range,
            "The field \"" + std::string{fault->field} + "\": " + fault->why + "."};
    return wanted_webhook{std::move(draft), std::move(*found)};
}

kept_answer created_webhook_answer(secret_webhook const& webhook)
{
    kept_answer made{.status = 201, .location = path_of(webhook.record.webhook_id), .body = {}};
    append_secret_webhook(webhook, made.body);
    return made;
}

kept_answer rotated(secret_webhook const& webhook)
{
    kept_answer made{.status = 200, .location = {}, .body = {}};
    append_secret_webhook(webhook, made.body);
    return made;
}

kept_answer accepted(webhook_record const& webhook)
{
    kept_answer made{.status = 202, .location = {}, .body = {}};
    append_webhook(webhook, made.body);
    return made;
}

/// Does something to the webhook that the path names. The body is {} or none.
template <class Act>
asio::awaitable<result<void>> act_on_webhook(
    exchange& current, renderer<typename Act::answer> render
)
{
    Act wanted{};
    wanted.id = read_path_id(current.path[0]);
    if (wanted.id == 0)
        co_return no_such_webhook();
    if (auto const read = read_body(current, {}); read.has_error())
        co_return read.error();
    auto identity = read_identity(current);
    if (identity.has_error())
        co_return identity.error();
    auto made = co_await current.service().records.act(
        wanted, current.by(std::move(*identity)), std::move(render)
    );
    if (made.has_error())
        co_return made.error();
    write_kept(current, std::move(*made));
    co_return result<void>{};
}

}  // namespace

asio::awaitable<result<void>> get_webhooks(exchange& current)
{
    auto const page = read_list_page(current);
    if (page.has_error())
        co_return page.error();
    cases::list_webhooks wanted{};
    wanted.page.after = static_cast<std::int32_t>(
        std::min<std::int64_t>(page->after, std::numeric_limits<std::int32_t>::max())
    );
    wanted.page.limit =
        static_cast<std::int32_t>(page->limit) + 1;  // one more tells whether more follow
    auto const found =
        co_await current.service().records.read_for(wanted, current.by(std::nullopt));
    if (found.has_error())
        co_return found.error();
    auto const id_of = [](webhook_record const& webhook) { return webhook.webhook_id; };
    append_page(current.out.body, *page, *found, id_of, append_webhook);
    co_return result<void>{};
}

asio::awaitable<result<void>> post_webhook(exchange& current)
{
    auto wanted = read_webhook_draft(current);
    if (wanted.has_error())
        co_return wanted.error();
    auto identity = read_identity(current);
    if (identity.has_error())
        co_return identity.error();
    auto const checked = co_await current.service().webhooks.check(std::move(wanted->url));
    if (checked.has_error())
        co_return checked.error();
    renderer<secret_webhook> render{created_webhook_answer};
    cases::create_webhook create{std::move(wanted->draft)};
    auto made = co_await current.service().records.act(
        std::move(create), current.by(std::move(*identity)), std::move(render)
    );
    if (made.has_error())
        co_return made.error();
    write_kept(current, std::move(*made));
    co_return result<void>{};
}

asio::awaitable<result<void>> get_webhook(exchange& current)
{
    cases::read_webhook wanted{};
    wanted.id = read_path_id(current.path[0]);
    if (wanted.id == 0)
        co_return no_such_webhook();
    auto const found =
        co_await current.service().records.read_for(wanted, current.by(std::nullopt));
    if (found.has_error())
        co_return found.error();
    append_webhook(*found, current.out.body);
    co_return result<void>{};
}

asio::awaitable<result<void>> delete_webhook(exchange& current)
{
    cases::delete_webhook wanted{};
    wanted.id = read_path_id(current.path[0]);
    if (wanted.id == 0)
        co_return no_such_webhook();
    auto const done = co_await current.service().records.change(wanted, current.by(std::nullopt));
    if (done.has_error())
        co_return done.error();
    current.out.status = 204;
    co_return result<void>{};
}

asio::awaitable<result<void>> post_webhook_rotation(exchange& current)
{
    return act_on_webhook<cases::rotate_webhook>(current, rotated);
}

asio::awaitable<result<void>> post_webhook_retry(exchange& current)
{
    return act_on_webhook<cases::retry_webhook>(current, accepted);
}

asio::awaitable<result<void>> post_webhook_test(exchange& current)
{
    return act_on_webhook<cases::test_webhook>(current, accepted);
}

}  // namespace gapless
