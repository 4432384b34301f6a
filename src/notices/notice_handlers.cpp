#include "notices/notice_handlers.hpp"

#include "base/json_writer.hpp"
#include "http/dispatch.hpp"
#include "http/request_body.hpp"
#include "notices/notice_list.hpp"
#include "notices/notice_service.hpp"

#include <boost/asio/this_coro.hpp>

#include <chrono>
#include <memory>

namespace gapless {

namespace asio = boost::asio;

namespace {

using cases::notice_list;

/// The series does not exist, or is hidden from this token.
refusal as_told(refusal const& why)
{
    return why.kind == refusal_kind::unknown_series ? unknown_series() : why;
}

asio::awaitable<result<notice_list>> read_notices(exchange& current, notice_page page)
{
    auto const place = take_token_place(current);
    if (place.has_error())
        co_return place.error();
    cases::list_notices wanted{.page = std::move(page)};
    auto by = current.by(std::nullopt);
    auto found =
        co_await current.service<record_service>().read_for(std::move(wanted), std::move(by));
    if (found.has_error())
        co_return as_told(found.error());
    co_return found;
}

/// Waits for notices that the request wants; null: none came. The result includes notices that it
/// does not want.
asio::awaitable<result<std::shared_ptr<notice_list const>>> wait_for_notices(
    exchange& current, notice_page page, notice_waiter::clock::time_point end
)
{
    auto const executor = co_await asio::this_coro::executor;
    auto made = std::make_unique<notice_waiter>(executor, std::move(page), current.who, end);
    auto& waiter = *made;
    current.waiting = std::move(made);
    if (auto const added = current.service<notice_service>().add(waiter); added.has_error())
        co_return added.error();
    while (!waiter.is_over())
    {
        co_await waiter.wait();
        auto const looked = co_await look_at_token_again(current);
        if (looked.has_error() && looked.error().kind == refusal_kind::unauthenticated)
            co_return looked.error();
        if (looked.has_error())
            // Nobody can check the token now: answers nothing new, so the client asks again.
            co_return std::shared_ptr<notice_list const>{};
        waiter.who = current.who;
    }
    co_return waiter.told();
}

/// Appends the wanted part of a list, as `waiter` decides; null: all of it.
void append_list(
    std::string& json,
    notice_list const& list,
    queries::notice_query const& query,
    notice_waiter const* waiter
)
{
    auto last = query.after.value;
    std::int64_t shown = 0;
    bool more = false;
    json += R"({"items":[)";
    for (auto const& each : list.notices)
    {
        if (waiter != nullptr && !waiter->wants(each))
            continue;
        more = shown == query.limit;
        if (more)
            break;
        json.append(shown > 0 ? "," : "").append(each.json);
        last = each.seq;
        ++shown;
    }
    json += R"(],"next":)";
    if (more || query.wait)
        append_quoted_decimal(json, last);
    else
        json += "null";
    json += '}';
}

void append_reset(std::string& json, notice_bounds const& bounds)
{
    json += R"({"items":[],"next":)";
    append_quoted_decimal(json, bounds.oldest - 1);
    json += R"(,"reset":true})";
}

}  // namespace

asio::awaitable<result<void>> get_notices(exchange& current)
{
    if (current.head.wants_events)
        co_return refusal{
            refusal_kind::not_acceptable,
            "Notices are not sent as text/event-stream. Ask for application/json with "
            "?after=SEQ&wait=30, and again behind the next of each answer."};
    auto const query = read_query<queries::notice_query>(current);
    if (query.has_error())
        co_return query.error();
    if (query->kind && !is_notice_kind(*query->kind))
        co_return refusal{
            refusal_kind::malformed_request,
            "The query parameter kind: " + unknown_notice_kind(*query->kind) + '.'};
    auto const end =
        notice_waiter::clock::now() + std::chrono::seconds{query->wait ? query->wait->value : 0};
    notice_page page{
        .after = query->after,
        .limit = query->rows(),
        .series = query->series,
        .kind = query->kind};
    auto const found = co_await read_notices(current, page);
    if (found.has_error())
        co_return found.error();
    auto& json = current.out.body;
    if (!found->bounds.reach_behind(query->after))
        append_reset(json, found->bounds);
    else if (!found->notices.empty() || notice_waiter::clock::now() >= end)
        append_list(json, *found, *query, nullptr);
    else
    {
        page.after = found->bounds.last;
        auto const told = co_await wait_for_notices(current, std::move(page), end);
        // Frees its place before the answer is written.
        auto const waiter = std::move(current.waiting);
        if (told.has_error())
            co_return told.error();
        append_list(
            json, *told ? **told : *found, *query, static_cast<notice_waiter const*>(waiter.get())
        );
    }
    co_return result<void>{};
}

}  // namespace gapless
