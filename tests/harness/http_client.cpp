#include "harness/http_client.hpp"

#include "base/contract.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace gapless::test {

namespace {

template <class Integer>
Integer to_integer(std::string_view text)
{
    Integer value{};
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    ensure(
        error == std::errc{} && end == text.data() + text.size(), "a server sends whole numbers"
    );
    return value;
}

sockaddr_in to_socket_address(std::string const& address)
{
    auto const colon = address.rfind(':');
    ensure(colon != std::string::npos, "an address has a port");
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(to_integer<std::uint16_t>(std::string_view{address}.substr(colon + 1)));
    ensure(
        inet_pton(AF_INET, address.substr(0, colon).c_str(), &to.sin_addr) == 1,
        "tests connect to IPv4 addresses"
    );
    return to;
}

http_answer read_head(std::string_view head)
{
    http_answer answer;
    answer.status = to_integer<int>(head.substr(head.find(' ') + 1, 3));
    for (auto at = head.find("\r\n"); at != std::string_view::npos && at + 2 < head.size();)
    {
        auto const begin = at + 2;
        at = head.find("\r\n", begin);
        auto const line = head.substr(begin, at - begin);
        auto const colon = line.find(": ");
        ensure(colon != std::string_view::npos, "a field has a name and a value");
        std::string name{line.substr(0, colon)};
        std::ranges::transform(name, name.begin(), [](unsigned char c) {
            return static_cast<char>(std::tolower(c));
        });
        answer.fields.emplace_back(std::move(name), line.substr(colon + 2));
    }
    return answer;
}

}  // namespace

std::string http_answer::field(std::string_view name) const
{
    for (auto const& [known, value] : fields)
        if (known == name)
            return value;
    return {};
}

void http_client::close() noexcept
{
    if (socket_ >= 0)
        ::close(socket_);
    socket_ = -1;
    received_.clear();
}

bool http_client::connect(milliseconds limit)
{
    close();
    auto const to = to_socket_address(address_);
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    ensure(socket_ >= 0, "the test has descriptors left");
    int const on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::connect(socket_, reinterpret_cast<sockaddr const*>(&to), sizeof to) == 0)
        return true;
    int error = errno;
    socklen_t size = sizeof error;
    if (error == EINPROGRESS && wait(POLLOUT, clock::now() + limit) &&
        ::getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0)
        return true;
    close();
    return false;
}

bool http_client::wait(short events, clock::time_point deadline) const
{
    for (;;)
    {
        auto const left = std::chrono::duration_cast<milliseconds>(deadline - clock::now()).count();
        if (left <= 0)
            return false;
        pollfd waited{socket_, events, 0};
        auto const ready = ::poll(&waited, 1, static_cast<int>(left));
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return false;
    }
}

bool http_client::send(std::string_view bytes, milliseconds limit)
{
    auto const deadline = clock::now() + limit;
    while (!bytes.empty())
    {
        auto const sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent > 0)
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        else if (errno != EAGAIN || !wait(POLLOUT, deadline))
            return false;
    }
    return true;
}

bool http_client::read_some(clock::time_point deadline)
{
    std::array<char, 65'536> piece;
    for (;;)
    {
        auto const size = ::recv(socket_, piece.data(), piece.size(), 0);
        if (size > 0)
        {
            received_.append(piece.data(), static_cast<std::size_t>(size));
            return true;
        }
        if (size == 0 || errno != EAGAIN || !wait(POLLIN, deadline))
            return false;
    }
}

std::optional<http_answer> http_client::read_answer(clock::time_point deadline)
{
    std::size_t end = 0;
    while ((end = received_.find("\r\n\r\n")) == std::string::npos)
        if (!read_some(deadline))
            return std::nullopt;
    auto answer = read_head(std::string_view{received_}.substr(0, end + 2));
    auto const length = answer.field("content-length");
    auto const body = length.empty() ? 0 : to_integer<std::size_t>(length);
    while (received_.size() < end + 4 + body)
        if (!read_some(deadline))
            return std::nullopt;
    answer.body = received_.substr(end + 4, body);
    received_.erase(0, end + 4 + body);
    return answer;
}

std::optional<http_answer> http_client::receive(milliseconds limit)
{
    return read_answer(clock::now() + limit);
}

std::string http_client::to_bytes(http_request const& request) const
{
    auto bytes = request.method + ' ' + request.target + " HTTP/1.1\r\nHost: " + address_ + "\r\n";
    for (auto const& [name, value] : request.fields)
        bytes += name + ": " + value + "\r\n";
    if (!request.body.empty() || request.method != "GET")
        bytes += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
    return bytes + "\r\n" + request.body;
}

http_outcome http_client::exchange(http_request const& request, milliseconds limit)
{
    if (!connected() && !connect(limit))
        return {std::nullopt, no_answer::not_sent};
    auto const deadline = clock::now() + limit;
    http_outcome outcome{std::nullopt, no_answer::unknown};
    if (send(to_bytes(request), limit))
        outcome.answer = read_answer(deadline);
    if (!outcome.answer || outcome.answer->field("connection") == "close")
        close();
    return outcome;
}

}  // namespace gapless::test
