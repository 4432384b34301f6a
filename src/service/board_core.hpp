#pragma once

#include "cases/notices.hpp"
#include "service/notice_board.hpp"
#include "service/notice_ring.hpp"
#include "service/turnstile.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>

/// The inside of a notice_board, which its streams share.
namespace gapless {

class board_stream;

class board_core : public std::enable_shared_from_this<board_core>
{
public:
    board_core(
        boost::asio::io_context& io, record_service& records, board_settings const& settings
    );

    /// A stream is up to date with `last`: notices behind it are read for all from now on.
    void begin_watch(std::int64_t last);

    void look_soon();
    void stop() noexcept;

    boost::asio::io_context& io;
    record_service& records;
    board_settings const settings;
    notice_ring ring;
    turnstile turns;
    std::list<board_stream*> streams;  // those that live
    bool stopped{};

private:
    using clock = std::chrono::steady_clock;

    static boost::asio::awaitable<void> watch(std::shared_ptr<board_core> self);
    boost::asio::awaitable<bool> look();
    boost::asio::awaitable<void> ask_reach();
    void end_streams() noexcept;

    boost::asio::steady_timer pause_;
    bool watching_{};
    bool soon_{};  // somebody said so while nobody waited
    clock::time_point reach_due_{};
};

/// One stream of a board.
class board_stream : public event_stream
{
public:
    board_stream(std::shared_ptr<board_core> core, notice_wish wish, acting by);
    ~board_stream() override;
    board_stream(board_stream const&) = delete;
    board_stream& operator=(board_stream const&) = delete;

    /// Reads what it begins with. Refuses as notice_service::follow.
    boost::asio::awaitable<result<void>> begin();

    boost::asio::awaitable<stream_piece> next() override;
    void end() noexcept override;

    /// There may be something to send.
    void ring_bell() { bell_.cancel(); }

    /// Whose it is.
    shown_secret token() const { return {by_.actor.token_id, by_.actor.hash}; }

    /// What its token may see by now; null: it is no longer in force, so the stream ends.
    void learn(notice_reach const* reach);

private:
    using clock = std::chrono::steady_clock;

    notice_page page_behind(std::int64_t seq) const;
    bool is_over() const noexcept { return ended_ || core_->stopped; }
    stream_piece take_greeting();
    std::shared_ptr<notice_chunk const> take_chunk();
    boost::asio::awaitable<void> catch_up();
    boost::asio::awaitable<void> wait_until(clock::time_point moment);

    std::shared_ptr<board_core> core_;
    acting by_;
    notice_filter filter_;
    std::int64_t position_;                          // seq: what follows is still to be sent
    std::shared_ptr<std::string const> greeting_{};  // before all else; null: sent
    std::deque<std::shared_ptr<notice_chunk const>> behind_{};  // read for this stream alone
    boost::asio::steady_timer bell_;
    clock::time_point comment_due_{};
    bool ended_{};
};

}  // namespace gapless
