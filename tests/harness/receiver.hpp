#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace gapless::test {

/// A request as a receiver of webhooks got it.
struct received_delivery
{
    std::string line;                           // "POST /in HTTP/1.1"
    std::map<std::string, std::string> fields;  // names in lower case
    std::string body;
    int connection{};  // 1, 2, 3 … as they were accepted
};

/// What a receiver does with a request.
struct receiver_reply
{
    std::string bytes{"HTTP/1.1 204 No Content\r\n\r\n"};
    std::chrono::milliseconds delay{};  // before them
    bool resets{};                      // instead: the connection is reset
};

/// A receiver of webhooks on loopback, on a thread of its own: answers every request as it is told.
class receiver
{
public:
    using manner = std::function<receiver_reply(received_delivery const&)>;

    /// `behave`: called on the receiver's thread; empty: every request is accepted.
    explicit receiver(manner behave = {});
    ~receiver();
    receiver(receiver const&) = delete;
    receiver& operator=(receiver const&) = delete;

    std::uint16_t port() const { return port_; }

    /// "http://127.0.0.1:<port><path>"
    std::string url(std::string const& path = "/in") const;

    /// What it got so far, in the order it came.
    std::vector<received_delivery> received() const;

    /// Connections so far.
    int connections() const;

private:
    boost::asio::awaitable<void> accept();
    boost::asio::awaitable<void> serve(boost::asio::ip::tcp::socket socket, int number);

    manner behave_;
    boost::asio::io_context io_;
    boost::asio::ip::tcp::acceptor acceptor_;
    std::uint16_t port_;
    mutable std::mutex mutex_;  // guards what follows
    std::vector<received_delivery> received_;
    int connections_{};
    std::thread thread_;
};

/// The answer of a status without a body.
inline receiver_reply answer_of(std::string const& status, std::string const& fields = {})
{
    return {.bytes = "HTTP/1.1 " + status + "\r\n" + fields + "Content-Length: 0\r\n\r\n"};
}

}  // namespace gapless::test
