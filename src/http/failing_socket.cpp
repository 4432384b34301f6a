#include "http/failing_socket.hpp"

#include "base/failpoint.hpp"

namespace gapless {

namespace asio = boost::asio;

namespace {

std::string_view text_of(asio::const_buffer bytes) noexcept
{
    return {static_cast<char const*>(bytes.data()), bytes.size()};
}

}  // namespace

asio::awaitable<failing_socket::outcome> failing_socket::async_read_some(
    asio::mutable_buffer room, as_outcome token
)
{
    auto const read = co_await base::async_read_some(room, token);
    auto const bytes = text_of(asio::buffer(room, std::get<1>(read)));
    if (bytes.empty() || !reading_head_)
        co_return read;
    reading_head_ = bytes.find("\r\n\r\n") == std::string_view::npos;
    if (reading_head_)
        pass("head_incomplete");
    else if (bytes.starts_with("POST"))
        pass("request_read");
    co_return read;
}

std::size_t failing_socket::write_parts(
    const_buffers const& parts, boost::system::error_code& error
)
{
    reading_head_ = true;
    if (!text_of(parts.front()).starts_with("HTTP/1.1 201"))
        return base::write_some(parts, error);
    pass("reply_made");
    if (failpoint_due("reply_half_sent"))
    {
        auto const half = asio::buffer(parts.front(), parts.front().size() / 2);
        auto const count = base::write_some(half, error);
        if (run_failpoint("reply_half_sent"))
            cut();
        return count;
    }
    auto const count = base::write_some(parts, error);
    pass("reply_sent");
    return count;
}

void failing_socket::pass(std::string_view point)
{
    if (pass_failpoint(point))
        cut();
}

void failing_socket::cut()
{
    boost::system::error_code ignored;
    shutdown(shutdown_both, ignored);
}

}  // namespace gapless
