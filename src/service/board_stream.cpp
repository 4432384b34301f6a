#include "service/as_outcome.hpp"
#include "service/board_core.hpp"
#include "wire/notice_json.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr std::int32_t notices_of_page = 200;

stream_piece whole(std::shared_ptr<std::string const> const& text)
{
    return {.text = text, .parts = {*text}};
}

stream_piece comment()
{
    static auto const text = std::make_shared<std::string const>(stream_comment);
    return whole(text);
}

/// The token may not read any more what it wanted; anything else may pass.
bool ends_stream(refusal_kind kind) noexcept
{
    return kind == refusal_kind::unauthenticated || kind == refusal_kind::forbidden ||
           kind == refusal_kind::unknown_series;
}

}  // namespace

board_stream::board_stream(std::shared_ptr<board_core> core, notice_wish wish, acting by)
    : core_{std::move(core)},
      by_{std::move(by)},
      filter_{.series = std::move(wish.series), .kind = std::move(wish.kind)},
      position_{wish.after},
      bell_{core_->io}
{
    core_->streams.push_back(this);
}

board_stream::~board_stream()
{
    core_->streams.remove(this);
}

void board_stream::end() noexcept
{
    ended_ = true;
    bell_.cancel();
}

void board_stream::learn(notice_reach const* reach)
{
    if (reach == nullptr)
        end();
    else
        filter_.reach = *reach;
}

notice_page board_stream::page_behind(std::int64_t seq) const
{
    return {.after = seq, .limit = notices_of_page, .series = filter_.series, .kind = filter_.kind};
}

asio::awaitable<result<void>> board_stream::begin()
{
    cases::begin_notices wanted{};
    wanted.page = page_behind(std::max<std::int64_t>(position_, 0));
    wanted.token = token();
    auto const found = co_await core_->records.read_for(std::move(wanted), by_);
    if (found.has_error())
        co_return found.error();
    if (!found->reach)
        co_return refusal{refusal_kind::unauthenticated, "The token is no longer in force."};
    filter_.reach = *found->reach;
    auto const& bounds = found->events.bounds;
    if (bounds.reach_behind(position_))
        behind_.assign(found->events.chunks.begin(), found->events.chunks.end());
    else
    {
        position_ = bounds.oldest - 1;
        std::string text;
        append_reset_event(bounds.oldest, text);
        greeting_ = std::make_shared<std::string const>(std::move(text));
    }
    comment_due_ = clock::now() + core_->settings.comment_interval;
    core_->begin_watch(bounds.last);
    co_return result<void>{};
}

asio::awaitable<stream_piece> board_stream::next()
{
    while (!is_over())
    {
        auto piece = take_greeting();
        if (auto const chunk = piece.empty() ? take_chunk() : nullptr)
        {
            piece = pick(chunk, position_, filter_);
            position_ = chunk->last;
            if (piece.empty())
                continue;
            co_await core_->turns.pass();
            if (is_over())
                break;
        }
        if (piece.empty() && clock::now() >= comment_due_)
            piece = comment();
        if (!piece.empty())
        {
            comment_due_ = clock::now() + core_->settings.comment_interval;
            co_return piece;
        }
        if (position_ < core_->ring.last())
            co_await catch_up();
        else
            co_await wait_until(comment_due_);
    }
    co_return stream_piece{};
}

stream_piece board_stream::take_greeting()
{
    auto const text = std::exchange(greeting_, nullptr);
    return text ? whole(text) : stream_piece{};
}

/// What follows: of what was read for this stream, else of what was read for all.
std::shared_ptr<notice_chunk const> board_stream::take_chunk()
{
    if (behind_.empty())
        return core_->ring.find(position_);
    auto chunk = std::move(behind_.front());
    behind_.pop_front();
    return chunk;
}

/// Reads a page for this stream alone: it began with older notices, or could not keep up.
asio::awaitable<void> board_stream::catch_up()
{
    cases::read_notice_events wanted{};
    wanted.page = page_behind(position_);
    auto const found = co_await core_->records.read_for(std::move(wanted), by_);
    if (found.has_value())
    {
        behind_.assign(found->chunks.begin(), found->chunks.end());
        if (behind_.empty())  // the database was put back
            end();
        co_return;
    }
    if (ends_stream(found.error().kind))
        end();
    else
        co_await wait_until(clock::now() + core_->settings.retry_interval);
}

/// Or until the bell rings.
asio::awaitable<void> board_stream::wait_until(clock::time_point moment)
{
    bell_.expires_at(moment);
    co_await bell_.async_wait(as_outcome);
}

}  // namespace gapless
