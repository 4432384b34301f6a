#include "http/notice_handlers.hpp"

#include "cases/notices.hpp"
#include "http/dispatch.hpp"
#include "http/list_page.hpp"
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

/// The series and the kind that are wanted, behind a seq.
result<notice_wish> read_wish(exchange const& current, std::int64_t after)
{
    notice_wish wish{.after = after};
    if (auto const series = current.query.find("series"))
        wish.series = *series;
    auto const kind = current.query.find("kind");
    if (kind && !is_notice_kind(*kind))
        return refusal{
            refusal_kind::malformed_request, "The query parameter kind is no kind of notice."};
    if (kind)
        wish.kind = *kind;
    return wish;
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
    auto const page = read_list_page(current);
    if (page.has_error())
        co_return page.error();
    auto const wish = read_wish(current, page->after);
    if (wish.has_error())
        co_return wish.error();
    if (current.head.prefers_events)
        co_return co_await follow(current, *wish);
    cases::list_notices wanted{};
    wanted.page.after = wish->after;
    wanted.page.limit =
        static_cast<std::int32_t>(page->limit) + 1;  // one more tells whether more follow
    wanted.page.series = wish->series;
    wanted.page.kind = wish->kind;
    auto const found =
        co_await current.service().records.read_for(std::move(wanted), current.by(std::nullopt));
    if (found.has_error())
        co_return as_told(found.error());
    auto const seq_of = [](notice_record const& notice) { return notice.seq; };
    append_page(current.out.body, *page, *found, seq_of, append_notice);
    co_return result<void>{};
}

}  // namespace gapless
