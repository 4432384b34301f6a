#include "http/notice_handlers.hpp"

#include "cases/notices.hpp"
#include "http/dispatch.hpp"
#include "http/queries.hpp"
#include "http/request_body.hpp"
#include "wire/json_writer.hpp"
#include "wire/notice_json.hpp"

#include <charconv>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// A seq as the event before has it; below 0: it is none of ours.
std::int64_t read_seq(std::string_view text) noexcept
{
    std::int64_t seq{};
    auto const* last = text.data() + text.size();
    auto const read = std::from_chars(text.data(), last, seq);
    return read.ec == std::errc{} && read.ptr == last ? seq : -1;
}

/// There is no such series, or this token must not know.
refusal as_told(refusal const& why)
{
    return why.kind == refusal_kind::unknown_series ? unknown_series() : why;
}

asio::awaitable<result<void>> follow(exchange& current, notice_wish wish)
{
    auto const seen = current.head.last_event_id;
    if (seen && !seen->empty())
        wish.after = read_seq(*seen);
    auto stream =
        co_await current.service().notices.follow(std::move(wish), current.by(std::nullopt));
    if (stream.has_error())
        co_return as_told(stream.error());
    current.out.content_type = media_type::events;
    current.out.events = std::move(*stream);
    co_return result<void>{};
}

}  // namespace

asio::awaitable<result<void>> get_notices(exchange& current)
{
    auto query = read_query<queries::notice_query>(current);
    if (query.has_error())
        co_return query.error();
    if (query->kind && !is_notice_kind(*query->kind))
        co_return refusal{
            refusal_kind::malformed_request, "The query parameter kind is no kind of notice."};
    if (current.head.prefers_events)
    {
        notice_wish wish{
            .after = query->after,
            .series = std::move(query->series),
            .kind = std::move(query->kind)};
        co_return co_await follow(current, std::move(wish));
    }
    cases::list_notices wanted{};
    wanted.page.after = query->after;
    wanted.page.limit = query->rows();
    wanted.page.series = std::move(query->series);
    wanted.page.kind = std::move(query->kind);
    auto const found =
        co_await current.service().records.read_for(std::move(wanted), current.by(std::nullopt));
    if (found.has_error())
        co_return as_told(found.error());
    auto& json = current.out.body;
    append_page(
        json,
        *found,
        query->limit,
        [&](notice_record const& notice) { append_notice(notice, json); },
        [&](notice_record const& notice) { append_quoted_decimal(json, notice.seq); }
    );
    co_return result<void>{};
}

}  // namespace gapless
