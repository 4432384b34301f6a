#include "http/session.hpp"

/// How a session sends its answers.
namespace gapless {

namespace asio = boost::asio;
using boost::beast::http::verb;

/// Makes the first bytes of the answer.
void session::begin_answer()
{
    auto const& head = current_.head;
    auto const requests_max = state_->limits.requests_per_connection_max;
    closing_ = closing_ || !head.keep_alive || state_->stopping || current_.out.events ||
               (requests_max > 0 && requests_ >= requests_max);
    auto const connection = closing_        ? connection_header::close
                            : head.http_1_0 ? connection_header::keep_alive
                                            : connection_header::none;
    writer_.begin(current_.out, connection, head.verb != verb::head);
    wire_.seal(writer_);
    note_answer(current_, began_);
    enter(phase::writing);
}

/// Writes the answer. False: the client is gone, or does not read.
asio::awaitable<bool> session::send_answer()
{
    begin_answer();
    auto const sent = wire_.send_at_once(writer_);
    bool all_sent = true;
    if (sent < writer_.bytes())
        all_sent = co_await wire_.send_rest(writer_, sent);
    // Each piece is a turn of its own on the I/O thread; others are served in between.
    while (all_sent && writer_.next_piece())
    {
        wire_.seal(writer_);
        all_sent = co_await wire_.send_rest(writer_, 0);
    }
    co_return all_sent;
}

/// Sends a stream as its bytes come, until it ends. False: the client is gone, or does not read.
asio::awaitable<bool> session::send_events()
{
    for (;;)
    {
        if (state_->stopping)
            end_stream();
        enter(phase::streaming);
        auto const piece = co_await current_.out.events->next();
        if (!wire_.is_open())
            co_return false;
        if (piece.empty())
            co_return true;
        enter(phase::writing);
        writer_.begin_piece(piece);
        wire_.seal(writer_);
        auto const sent = wire_.send_at_once(writer_);
        if (sent == writer_.bytes())
            continue;
        auto const all_sent = co_await wire_.send_rest(writer_, sent);
        if (!all_sent)
            co_return false;
    }
}

}  // namespace gapless
