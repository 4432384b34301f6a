#include "service/notice_board.hpp"

#include "service/board_core.hpp"

#include <utility>

namespace gapless {

namespace asio = boost::asio;

notice_board::notice_board(
    asio::io_context& io, record_service& records, board_settings const& settings
)
    : core_{std::make_shared<board_core>(io, records, settings)}
{
}

notice_board::~notice_board()
{
    stop();
}

asio::awaitable<result<std::unique_ptr<event_stream>>> notice_board::follow(
    notice_wish wish, acting by
)
{
    if (core_->stopped)
        co_return refusal{refusal_kind::database_unavailable, "the service stops"};
    if (core_->streams.size() >= core_->settings.streams_max)
        co_return refusal{
            refusal_kind::overloaded,
            "as many streams of notices are open as the service allows (notice_streams_max)"};
    auto stream = std::make_unique<board_stream>(core_, std::move(wish), std::move(by));
    auto const begun = co_await stream->begin();
    if (begun.has_error())
        co_return begun.error();
    co_return std::unique_ptr<event_stream>{std::move(stream)};
}

void notice_board::look_soon()
{
    core_->look_soon();
}

void notice_board::stop()
{
    core_->stop();
}

std::size_t notice_board::streams() const noexcept
{
    return core_->streams.size();
}

}  // namespace gapless
