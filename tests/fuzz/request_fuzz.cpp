#include "fuzz/fuzz.hpp"
#include "fuzz/told_requests.hpp"
#include "harness/fake_service.hpp"
#include "http/connection.hpp"
#include "http/request_body.hpp"
#include "numbers/issue_handlers.hpp"

#include <boost/asio/io_context.hpp>

#include <array>
#include <sys/socket.h>
#include <unistd.h>

using namespace gapless;
using namespace gapless::test;
namespace asio = boost::asio;
using boost::beast::http::verb;

namespace {

/// A request as its handler got it.
struct handled
{
    std::uint64_t place{};  // among the requests of the connection
    told_request request;
    std::string read;  // what was read from its key and body

    friend bool operator==(handled const&, handled const&) = default;
};

std::vector<handled> handled_requests;

/// Notes the request, reads key and body as handlers do, and answers with both.
asio::awaitable<result<void>> note(exchange& current)
{
    auto& noted = handled_requests.emplace_back(handled{
        current.state.counters.requests,
        {std::string{current.head.method},
         std::string{current.head.target},
         std::string{current.body}},
        {}});
    if (current.who)
    {
        auto const identity = read_identity(current);
        if (identity.has_error())
            co_return identity.error();
        if (*identity)
            noted.read.append((*identity)->key.bytes.begin(), (*identity)->key.bytes.end())
                .append((*identity)->fingerprint.begin(), (*identity)->fingerprint.end());
    }
    auto body = read_body<bodies::issue_request>(current);
    if (body.has_error())
        co_return body.error();
    if (auto const checked = check_reference(body->reference); checked.has_error())
        co_return checked.error();
    noted.read += std::to_string(body->count.value) + body->reference.value_or("");
    current.out.body = "{}";
    co_return result<void>{};
}

constexpr std::array<std::string_view, 1> listing_query{"numbers"};
constexpr std::array rows{
    route{
        .verb = verb::post,
        .pattern = "/v1/series/{series}/numbers",
        .needs = scope::issue,
        .body = body_size::usual,
        .handle = note,
        .query = listing_query},
    route{.verb = verb::post, .pattern = "/p", .body = body_size::usual, .handle = note},
    route{.verb = verb::get, .pattern = "/g", .handle = note},
};

/// Small, so that inputs reach them.
http_limits small_limits()
{
    http_limits limits;
    limits.target_bytes_max = 64;
    limits.header_bytes_max = 320;
    limits.header_fields_max = 8;
    limits.body_bytes_max = 96;
    return limits;
}

/// What one connection did with its bytes.
struct outcome
{
    std::string answers;
    std::vector<handled> requests;
    std::uint64_t answered{};
};

/// Answers what is asked on one end of a pair of sockets; the other end is ours.
class connection
{
public:
    explicit connection(asio::io_context& io, service_set services) : io_{io}, ends_{make_ends()}
    {
        state_ =
            std::make_shared<server_state>(server_state{std::move(services), rows, small_limits()});
        asio::ip::tcp::socket socket{io};
        socket.assign(asio::ip::tcp::v4(), ends_[0]);
        std::make_shared<http_connection>(std::move(socket), state_)->start();
        handled_requests.clear();
        run();
    }

    void send(std::string_view bytes)
    {
        // The service may have closed: then nobody reads this.
        [[maybe_unused]] auto const sent =
            ::send(ends_[1], bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        run();
    }

    /// Ends sending and waits until the service has closed.
    outcome end()
    {
        ::shutdown(ends_[1], SHUT_WR);
        run();
        ::close(ends_[1]);
        expect(state_.use_count() == 1, "a connection that ended is freed");
        return {std::move(answers_), std::move(handled_requests), state_->counters.requests};
    }

private:
    static std::array<int, 2> make_ends()
    {
        std::array<int, 2> ends{};
        expect(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0, "there are sockets");
        return ends;
    }

    void run()
    {
        io_.restart();
        io_.poll();
        std::array<char, 4096> bytes;
        for (;;)
        {
            auto const count = ::recv(ends_[1], bytes.data(), bytes.size(), MSG_DONTWAIT);
            if (count <= 0)
                return;
            answers_.append(bytes.data(), static_cast<std::size_t>(count));
            io_.restart();
            io_.poll();
        }
    }

    asio::io_context& io_;
    std::array<int, 2> ends_;
    std::shared_ptr<server_state> state_;
    std::string answers_;
};

/// What an answer is made of that depends on nothing but the request: "100 Continue" depends on
/// whether the body has arrived.
std::string without_go_on(std::string answers)
{
    constexpr std::string_view go_on{"HTTP/1.1 100 Continue\r\n\r\n"};
    for (auto at = answers.find(go_on); at != std::string::npos; at = answers.find(go_on))
        answers.erase(at, go_on.size());
    return answers;
}

void check_against(std::string_view sent, outcome const& seen)
{
    auto const told = tell_requests(sent);
    expect(seen.answered <= told.size() + 1, "no more answers than requests and one fault");
    for (auto const& each : seen.requests)
    {
        expect(each.place < told.size(), "a request that was handled is one that was sent");
        expect(
            each.request == told[each.place],
            "a request that was handled is the one that was sent there, with its own body"
        );
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    static asio::io_context io{1};
    static fake_service service{io};
    if (service.tokens.empty())
    {
        service.add_token("t", 15);
        service.add_series("s");
    }
    fuzz_input input{data, size};
    auto const step = input.byte();
    auto const sent = input.rest();

    connection whole{io, service};
    whole.send(sent);
    auto const seen = whole.end();
    check_against(sent, seen);

    connection parts{io, service};
    constexpr std::size_t parts_max = 128;
    auto const part = std::max<std::size_t>(step + 1, sent.size() / parts_max);
    for (std::size_t at = 0; at < sent.size(); at += part)
        parts.send(sent.substr(at, part));
    auto const seen_in_parts = parts.end();
    expect(seen.requests == seen_in_parts.requests, "requests are the same however they arrive");
    expect(
        without_go_on(seen.answers) == without_go_on(seen_in_parts.answers),
        "answers are the same however requests arrive"
    );
    return 0;
}
