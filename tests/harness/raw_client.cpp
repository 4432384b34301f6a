#include "harness/raw_client.hpp"

#include <boost/asio/buffer.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <thread>

namespace gapless::test {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds patience{5};

/// The number a text of digits stands for; 0 for any other text.
template <class Number>
Number to_number(std::string_view text)
{
    Number number{};
    auto const read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ptr == text.data() + text.size() ? number : Number{};
}

void read_head(raw_answer& answer, std::string_view head)
{
    answer.status = to_number<int>(head.substr(9, 3));
    for (auto line = head.find("\r\n"); line != std::string_view::npos;)
    {
        auto const begin = line + 2;
        line = head.find("\r\n", begin);
        auto const text = head.substr(begin, line - begin);
        auto const colon = text.find(": ");
        if (colon == std::string_view::npos)
            continue;
        std::string name{text.substr(0, colon)};
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
        answer.fields[name] = text.substr(colon + 2);
    }
}

}  // namespace

std::string raw_answer::problem() const
{
    constexpr std::string_view mark{R"("type":"/problems/)"};
    auto const begin = body.find(mark);
    if (begin == std::string::npos)
        return {};
    auto const name = begin + mark.size();
    return body.substr(name, body.find('"', name) - name);
}

std::string raw_answer::field(std::string const& name) const
{
    auto const found = fields.find(name);
    return found == fields.end() ? std::string{} : found->second;
}

raw_client::raw_client(asio::io_context& io, asio::ip::tcp::endpoint const& server)
    : io_{io},
      socket_{io}
{
    socket_.connect(server);
    socket_.non_blocking(true);
    socket_.set_option(asio::ip::tcp::no_delay{true});
}

std::size_t raw_client::write_some(std::string_view bytes, boost::system::error_code& failed)
{
    return socket_.write_some(asio::buffer(bytes), failed);
}

std::size_t raw_client::read_some(std::span<char> room, boost::system::error_code& failed)
{
    return socket_.read_some(asio::buffer(room.data(), room.size()), failed);
}

void raw_client::run_server()
{
    io_.restart();
    io_.poll();
}

void raw_client::send(std::string_view bytes)
{
    while (!bytes.empty())
    {
        boost::system::error_code failed;
        auto const count = write_some(bytes, failed);
        if (failed && failed != asio::error::would_block)
            return;  // the server has closed: what it said is read by receive
        bytes.remove_prefix(count);
        run_server();
    }
}

void raw_client::end_sending()
{
    socket_.shutdown(asio::ip::tcp::socket::shutdown_send);
}

raw_client::outcome raw_client::receive_some(std::chrono::milliseconds limit)
{
    auto const end = std::chrono::steady_clock::now() + limit;
    std::array<char, 64 * 1'024> room;
    for (;;)
    {
        run_server();
        boost::system::error_code failed;
        auto const count = read_some(room, failed);
        if (count > 0)
        {
            received_.append(room.data(), count);
            return outcome::bytes;
        }
        if (failed != asio::error::would_block)
            return outcome::end;
        if (std::chrono::steady_clock::now() > end)
            return outcome::time_over;
        std::this_thread::sleep_for(std::chrono::microseconds{100});
    }
}

bool raw_client::receive_until(std::string_view mark)
{
    while (received_.find(mark) == std::string::npos)
        if (receive_some(patience) != outcome::bytes)
            return false;
    return true;
}

namespace {

/// Answers are compared without it.
void take_request_id(raw_answer& answer)
{
    answer.request_id = answer.field("x-request-id");
    answer.fields.erase("x-request-id");
    constexpr std::string_view mark{R"(,"request_id":")"};
    auto const begin = answer.body.rfind(mark);
    if (begin == std::string::npos || !answer.field("content-type").starts_with("application/prob"))
        return;
    auto const id = begin + mark.size();
    auto const end = answer.body.find('"', id);
    answer.told_request_id = answer.body.substr(id, end - id);
    answer.body.erase(begin, end + 1 - begin);
}

}  // namespace

raw_answer raw_client::receive(bool without_body)
{
    raw_answer answer;
    if (!receive_until("\r\n\r\n"))
        return answer;
    auto const head = received_.find("\r\n\r\n");
    read_head(answer, std::string_view{received_}.substr(0, head + 2));
    received_.erase(0, head + 4);
    auto const length = answer.field("content-length");
    auto const body = without_body ? 0 : to_number<std::size_t>(length);
    while (received_.size() < body)
        if (receive_some(patience) != outcome::bytes)
            return answer;
    answer.body = answer.whole_body = received_.substr(0, body);
    received_.erase(0, body);
    take_request_id(answer);
    return answer;
}

std::string raw_client::receive_all()
{
    auto last = outcome::bytes;
    while (last == outcome::bytes)
        last = receive_some(patience);
    if (last == outcome::time_over)
        received_ += "<still open>";
    return std::exchange(received_, {});
}

bool raw_client::is_closed_within(std::chrono::milliseconds limit)
{
    return receive_some(limit) == outcome::end && received_.empty();
}

}  // namespace gapless::test
