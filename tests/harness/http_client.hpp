#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gapless::test {

/// What to ask for. Host and Content-Length are added when it is sent.
struct http_request
{
    std::string method{"GET"};
    std::string target{"/"};
    std::vector<std::pair<std::string, std::string>> fields{};
    std::string body{};
};

/// What came back, whole.
struct http_answer
{
    int status{};
    std::vector<std::pair<std::string, std::string>> fields;  // names in lower case
    std::string body;

    /// The value of a field, "" when it is not there.
    std::string field(std::string_view name) const;
};

/// How far a request without an answer got.
enum class no_answer
{
    not_sent = 1,  // no connection, so not a byte left
    unknown,       // something was sent, and no whole answer came
};

/// An answer, or how far the request got.
struct http_outcome
{
    std::optional<http_answer> answer;
    no_answer why{no_answer::not_sent};  // when there is no answer
};

/// A blocking HTTP/1.1 client on one kept connection to a server on this machine, for one thread.
/// Every wait has an end.
class http_client
{
public:
    using milliseconds = std::chrono::milliseconds;
    static constexpr milliseconds patience{20'000};

    /// `address` is "127.0.0.1:8080". Connects with the first request.
    explicit http_client(std::string address) : address_{std::move(address)} {}
    ~http_client() { close(); }
    http_client(http_client const&) = delete;
    http_client& operator=(http_client const&) = delete;

    /// Sends a request and reads its answer. Closes the connection when there was none, or when the
    /// server said so.
    http_outcome exchange(http_request const& request, milliseconds limit = patience);

    /// The two halves of exchange, for requests in one go and for clients that go away.
    /// True when everything was handed to the kernel.
    bool send(std::string_view bytes, milliseconds limit = patience);
    std::optional<http_answer> receive(milliseconds limit = patience);

    bool connect(milliseconds limit = patience);
    bool connected() const noexcept { return socket_ >= 0; }
    void close() noexcept;

    /// The bytes of a request to this server.
    std::string to_bytes(http_request const& request) const;

private:
    using clock = std::chrono::steady_clock;

    bool wait(short events, clock::time_point deadline) const;
    bool read_some(clock::time_point deadline);
    std::optional<http_answer> read_answer(clock::time_point deadline);

    std::string address_;
    int socket_{-1};
    std::string received_;
};

}  // namespace gapless::test
