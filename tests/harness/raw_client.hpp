#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace gapless::test {

/// An answer as it came over the wire.
struct raw_answer
{
    int status{};                               // 0: none came
    std::map<std::string, std::string> fields;  // names in lower case, without X-Request-Id
    std::string body;                           // a problem's without its last member, request_id
    std::string request_id;                     // of the head; differs between all requests
    std::string told_request_id;                // of the problem
    std::string whole_body;                     // as it came

    /// "<status> <body>"
    std::string text() const { return std::to_string(status) + ' ' + body; }

    /// The name of the problem type, "" when it is none: "malformed-request".
    std::string problem() const;

    /// "<status> <problem>"
    std::string outcome() const { return std::to_string(status) + ' ' + problem(); }

    /// The value of a field, "" when it is not there.
    std::string field(std::string const& name) const;
};

/// A TCP client that sends bytes as they are told. While it waits it runs the server's io_context,
/// so that server and test share one thread and nothing depends on timing.
class raw_client
{
public:
    raw_client(boost::asio::io_context& io, boost::asio::ip::tcp::endpoint const& server);
    virtual ~raw_client() = default;
    raw_client(raw_client&&) = default;
    raw_client& operator=(raw_client&&) = delete;

    void send(std::string_view bytes);

    /// Says that nothing more will be sent; answers can still be received.
    void end_sending();

    /// Closes the connection without reading what is there.
    void close() { socket_.close(); }

    /// The next answer, read to the end of its body. `without_body`: it answers HEAD.
    raw_answer receive(bool without_body = false);

    /// Everything until the server closes, or nothing came for five seconds (then ends with "<still
    /// open>").
    std::string receive_all();

    /// True when the server closes within `limit` and sends nothing before.
    bool is_closed_within(std::chrono::milliseconds limit);

protected:
    /// What a layer above TCP changes: both return at once, with would_block where there is nothing
    /// to do.
    virtual std::size_t write_some(std::string_view bytes, boost::system::error_code& failed);
    virtual std::size_t read_some(std::span<char> room, boost::system::error_code& failed);

    /// Lets the server go on.
    void run_server();

private:
    enum class outcome
    {
        bytes = 1,
        end,
        time_over,
    };

    outcome receive_some(std::chrono::milliseconds limit);
    bool receive_until(std::string_view mark);

    boost::asio::io_context& io_;
    boost::asio::ip::tcp::socket socket_;
    std::string received_;
};

}  // namespace gapless::test
