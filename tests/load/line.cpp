#include "load/line.hpp"

#include <boost/asio/write.hpp>

#include <utility>

namespace gapless::load {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr std::chrono::seconds answer_time_max{20};

}  // namespace

line::line(asio::io_context& io, options const& told, std::string series)
    : told_{told},
      series_{std::move(series)},
      socket_{io},
      limit_{io},
      pause_{io}
{
}

void line::send(attempt next, std::function<void(line&, attempt)> done)
{
    current_ = std::move(next);
    current_.series = series_;
    current_.seen = {};
    current_.start = clock::now();
    current_.sent = false;
    done_ = std::move(done);
    request_ = "POST /v1/series/" + series_ +
               "/numbers HTTP/1.1\r\nHost: load\r\nAuthorization: Bearer " + told_.token +
               "\r\nContent-Type: application/json\r\nContent-Length: 11\r\nIdempotency-Key: " +
               current_.key + "\r\n\r\n{\"count\":1}";
    limit_.expires_after(answer_time_max);
    limit_.async_wait([this](error_code const& cancelled) {
        error_code ignored;
        if (!cancelled)
            socket_.close(ignored);
    });
    if (socket_.is_open())
        write();
    else
        connect();
}

void line::wait(std::chrono::duration<double> time, std::function<void()> over)
{
    pause_.expires_after(std::chrono::duration_cast<clock::duration>(time));
    pause_.async_wait([over = std::move(over)](error_code const& cancelled) {
        if (!cancelled)
            over();
    });
}

void line::connect()
{
    input_.clear();
    tcp::endpoint const there{asio::ip::address_v4::loopback(), told_.port};
    socket_.async_connect(there, [this](error_code const& failed) {
        if (failed)
            return finish();
        error_code ignored;
        socket_.set_option(tcp::no_delay{true}, ignored);
        write();
    });
}

void line::write()
{
    current_.sent = true;
    asio::async_write(socket_, asio::buffer(request_), [this](error_code const&, std::size_t) {
        read();
    });
}

void line::read()
{
    socket_.async_read_some(
        asio::buffer(buffer_),
        [this](error_code const& failed, std::size_t count) {
            input_.append(buffer_.data(), count);
            auto const whole = read_answer(input_, current_.seen);
            if (whole == 0 && !failed)
                return read();
            input_.erase(0, whole);
            finish();
        }
    );
}

void line::finish()
{
    current_.end = clock::now();
    limit_.cancel();
    error_code ignored;
    if (current_.seen.status == 0 || current_.seen.closes)
        socket_.close(ignored);
    std::exchange(done_, nullptr)(*this, std::move(current_));
}

}  // namespace gapless::load
