#include "harness/receiver.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>

namespace gapless::test {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr auto as_outcome = asio::as_tuple(asio::use_awaitable);
constexpr std::string_view head_end{"\r\n\r\n"};

std::string to_lower(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return text;
}

received_delivery read_head(std::string const& head)
{
    received_delivery got;
    std::istringstream lines{head};
    std::string line;
    while (std::getline(lines, line) && line != "\r")
    {
        line.pop_back();
        auto const colon = line.find(": ");
        if (got.line.empty())
            got.line = line;
        else if (colon != std::string::npos)
            got.fields[to_lower(line.substr(0, colon))] = line.substr(colon + 2);
    }
    return got;
}

std::size_t body_bytes(received_delivery const& got)
{
    auto const field = got.fields.find("content-length");
    std::size_t bytes = 0;
    if (field != got.fields.end())
        std::from_chars(field->second.data(), field->second.data() + field->second.size(), bytes);
    return bytes;
}

}  // namespace

receiver::receiver(manner behave)
    : behave_{std::move(behave)},
      acceptor_{io_, tcp::endpoint{asio::ip::address_v4::loopback(), 0}},
      port_{acceptor_.local_endpoint().port()}
{
    asio::co_spawn(io_, accept(), asio::detached);
    thread_ = std::thread{[this] { io_.run(); }};
}

receiver::~receiver()
{
    io_.stop();
    thread_.join();
}

std::string receiver::url(std::string const& path) const
{
    return "http://127.0.0.1:" + std::to_string(port_) + path;
}

std::vector<received_delivery> receiver::received() const
{
    std::lock_guard const lock{mutex_};
    return received_;
}

int receiver::connections() const
{
    std::lock_guard const lock{mutex_};
    return connections_;
}

asio::awaitable<void> receiver::accept()
{
    while (true)
    {
        auto [failed, socket] = co_await acceptor_.async_accept(as_outcome);
        if (failed)
            co_return;
        int number = 0;
        {
            std::lock_guard const lock{mutex_};
            number = ++connections_;
        }
        asio::co_spawn(io_, serve(std::move(socket), number), asio::detached);
    }
}

asio::awaitable<void> receiver::serve(tcp::socket socket, int number)
{
    std::string bytes;
    auto buffer = asio::dynamic_buffer(bytes);
    while (true)
    {
        auto const [no_head, end] =
            co_await asio::async_read_until(socket, buffer, head_end, as_outcome);
        if (no_head)
            co_return;
        auto got = read_head(bytes.substr(0, end));
        bytes.erase(0, end);
        auto const length = body_bytes(got);
        if (bytes.size() < length)
        {
            auto const missing = asio::transfer_exactly(length - bytes.size());
            auto const [no_body, count] =
                co_await asio::async_read(socket, buffer, missing, as_outcome);
            if (no_body)
                co_return;
        }
        got.body = bytes.substr(0, length);
        bytes.erase(0, length);
        got.connection = number;
        auto const reply = behave_ ? behave_(got) : receiver_reply{};
        {
            std::lock_guard const lock{mutex_};
            received_.push_back(std::move(got));
        }
        asio::steady_timer pause{io_, reply.delay};
        co_await pause.async_wait(as_outcome);
        if (reply.resets)
        {
            socket.set_option(tcp::socket::linger{true, 0});
            socket.close();
            co_return;
        }
        auto const answer = asio::buffer(reply.bytes);
        auto const [not_sent, sent] = co_await asio::async_write(socket, answer, as_outcome);
        if (not_sent)
            co_return;
    }
}

}  // namespace gapless::test
