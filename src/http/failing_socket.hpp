#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cstddef>
#include <string_view>
#include <tuple>
#include <vector>

namespace gapless {

/// A client's socket, without TLS, with failpoints (base/failpoint.hpp) where a request arrives and
/// where the answer to one that created something is sent:
///
///   head_incomplete  a piece of the head is here
///   request_read     a POST is here, as far as it came with its head; nobody has looked at it
///   reply_made       the answer is made, nothing of it was sent
///   reply_half_sent  half of it was
///   reply_sent       all of it was, or as much as the kernel takes at once
///
/// `drop` cuts the connection there. Only in builds with failpoints.
class failing_socket : public boost::asio::ip::tcp::socket
{
public:
    using base = boost::asio::ip::tcp::socket;
    using as_outcome = boost::asio::as_tuple_t<boost::asio::use_awaitable_t<>>;
    using outcome = std::tuple<boost::system::error_code, std::size_t>;

    explicit failing_socket(base socket) : base{std::move(socket)} {}

    boost::asio::awaitable<outcome> async_read_some(
        boost::asio::mutable_buffer room, as_outcome token
    );

    template <class Buffers>
    std::size_t write_some(Buffers const& parts, boost::system::error_code& error)
    {
        return write_parts(
            {boost::asio::buffer_sequence_begin(parts), boost::asio::buffer_sequence_end(parts)},
            error
        );
    }

private:
    using const_buffers = std::vector<boost::asio::const_buffer>;

    void pass(std::string_view point);
    void cut();
    std::size_t write_parts(const_buffers const& parts, boost::system::error_code& error);

    bool reading_head_{true};
};

}  // namespace gapless
