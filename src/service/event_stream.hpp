#pragma once

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace gapless {

/// Bytes to send in one turn: parts of a text that others send as well.
struct stream_piece
{
    std::shared_ptr<void const> text{};     // keeps the parts
    std::vector<std::string_view> parts{};  // none: there is nothing to send

    bool empty() const noexcept { return parts.empty(); }

    std::size_t bytes() const noexcept
    {
        std::size_t sum = 0;
        for (auto const& part : parts)
            sum += part.size();
        return sum;
    }
};

/// A body without an end: its bytes come as things happen. I/O thread only.
class event_stream
{
public:
    virtual ~event_stream() = default;

    /// Waits for what to send next; an empty piece: the stream has ended. The stream outlives the
    /// call.
    virtual boost::asio::awaitable<stream_piece> next() = 0;

    /// Ends the stream, and what next() waits for. Safe to repeat.
    virtual void end() noexcept = 0;
};

}  // namespace gapless
