#include "service/board_core.hpp"

#include "base/log.hpp"
#include "base/repeated_log.hpp"
#include "service/as_outcome.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr std::int32_t notices_of_look = 200;

}  // namespace

board_core::board_core(
    asio::io_context& context, record_service& asked, board_settings const& wanted
)
    : io{context},
      records{asked},
      settings{wanted},
      ring{wanted.ring_bytes_max},
      turns{context},
      pause_{context}
{
}

void board_core::begin_watch(std::int64_t last)
{
    if (std::exchange(watching_, true))
        return;
    ring.restart(last);
    reach_due_ = clock::now() + settings.reach_interval;
    asio::co_spawn(io, watch(shared_from_this()), asio::detached);
}

void board_core::look_soon()
{
    soon_ = true;
    pause_.cancel();
}

void board_core::stop() noexcept
{
    stopped = true;
    pause_.cancel();
    end_streams();
}

/// Looks for notices while there are streams.
asio::awaitable<void> board_core::watch(std::shared_ptr<board_core> self)
{
    while (!self->stopped && !self->streams.empty())
    {
        bool more = false;
        try
        {
            more = co_await self->look();
            if (clock::now() >= self->reach_due_)
                co_await self->ask_reach();
        }
        catch (std::exception const& error)
        {
            log_failure("notice_look_failed", error.what());
        }
        if (more || self->stopped || std::exchange(self->soon_, false))
            continue;
        self->pause_.expires_after(self->settings.look_interval);
        co_await self->pause_.async_wait(as_outcome);
        self->soon_ = false;
    }
    self->watching_ = false;
}

/// Adds what was published to the ring. True: there is more. Without a database nothing is new; the
/// health watch tells of that.
asio::awaitable<bool> board_core::look()
{
    cases::read_notice_events wanted{};
    wanted.page.after = ring.last();
    wanted.page.limit = notices_of_look;
    auto const found = co_await records.read(std::move(wanted));
    if (found.has_error())
        co_return false;
    if (found->bounds.last < ring.last())
    {
        // The database was put back to an earlier moment. Clients come again, and are told.
        log_event(
            log_level::warning,
            "notices_went_back",
            {{"known", ring.last()}, {"last", found->bounds.last}}
        );
        ring.restart(found->bounds.last);
        end_streams();
        co_return false;
    }
    for (auto const& chunk : found->chunks)
        ring.append(chunk);
    if (!found->chunks.empty())
        for (auto* stream : streams)
            stream->ring_bell();
    co_return found->more;
}

asio::awaitable<void> board_core::ask_reach()
{
    reach_due_ = clock::now() + settings.reach_interval;
    cases::read_reach wanted{};
    for (auto const* stream : streams)
        if (std::ranges::find(wanted.tokens, stream->token()) == wanted.tokens.end())
            wanted.tokens.push_back(stream->token());
    auto const asked = wanted.tokens;
    auto const found = co_await records.read(std::move(wanted));
    if (found.has_error())
        co_return;
    for (auto* stream : streams)
    {
        auto const token = stream->token();
        if (std::ranges::find(asked, token) == asked.end())
            continue;  // it began meanwhile
        auto const reach = std::ranges::find(*found, token.token_id, &notice_reach::token_id);
        stream->learn(reach == found->end() ? nullptr : &*reach);
    }
}

void board_core::end_streams() noexcept
{
    for (auto* stream : streams)
        stream->end();
}

}  // namespace gapless
