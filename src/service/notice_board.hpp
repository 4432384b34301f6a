#pragma once

#include "service/notice_service.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>
#include <memory>

namespace gapless {

/// How many streams there are, and how often what is done for them.
struct board_settings
{
    std::size_t streams_max{64};                         // beyond: overloaded
    std::chrono::milliseconds look_interval{500};        // for notices that others published
    std::chrono::milliseconds reach_interval{1'000};     // asking what the tokens may see
    std::chrono::milliseconds comment_interval{15'000};  // of silence, then a comment
    std::chrono::milliseconds retry_interval{1'000};     // where the database did not answer
    std::size_t ring_bytes_max{4 * 1'024 * 1'024};       // of notices kept for streams
};

/// Notices for all streams of an instance: reads and renders each once, while there are streams. A
/// stream that cannot keep up, or begins with older ones, reads pages of its own. I/O thread only.
class notice_board : public notice_service
{
public:
    /// The others outlive it, and the last turn of its streams.
    notice_board(
        boost::asio::io_context& io, record_service& records, board_settings const& settings = {}
    );
    ~notice_board() override;
    notice_board(notice_board const&) = delete;
    notice_board& operator=(notice_board const&) = delete;

    boost::asio::awaitable<result<std::unique_ptr<event_stream>>> follow(
        notice_wish wish, acting by
    ) override;

    /// Notices were published a moment ago: looks for them now.
    void look_soon();

    /// Ends all streams; there are no new ones.
    void stop();

    /// Streams that are open, or begin.
    std::size_t streams() const noexcept;

private:
    std::shared_ptr<class board_core> core_;
};

}  // namespace gapless
