#include "load/answer_reader.hpp"

#include <charconv>
#include <stdexcept>

namespace gapless::load {

namespace {

/// What stands between a beginning and an end; empty when the beginning is missing.
std::string between(std::string_view text, std::string_view beginning, std::string_view end)
{
    auto const found = text.find(beginning);
    if (found == std::string_view::npos)
        return {};
    auto const rest = text.substr(found + beginning.size());
    return std::string{rest.substr(0, rest.find(end))};
}

}  // namespace

std::size_t read_answer(std::string_view bytes, answer& read)
{
    constexpr std::string_view head_end{"\r\n\r\n"};
    constexpr std::size_t status_at = 9;  // behind "HTTP/1.1 "
    auto const end = bytes.find(head_end);
    if (end == std::string_view::npos)
        return 0;
    auto const head = bytes.substr(0, end + 2);
    auto const length_text = between(head, "\r\nContent-Length: ", "\r\n");
    std::size_t length = 0;
    auto const* const last = length_text.data() + length_text.size();
    if (std::from_chars(length_text.data(), last, length).ec != std::errc{})
        throw std::runtime_error{"an answer without Content-Length: " + std::string{head}};
    auto const whole = end + head_end.size() + length;
    if (bytes.size() < whole)
        return 0;

    read = {};
    std::from_chars(bytes.data() + status_at, bytes.data() + status_at + 3, read.status);
    read.closes = head.find("\r\nConnection: close\r\n") != std::string_view::npos;
    read.retry_after = between(head, "\r\nRetry-After: ", "\r\n");
    read.replayed = head.find("\r\nIdempotency-Replayed: true\r\n") != std::string_view::npos;
    auto const body = bytes.substr(end + head_end.size(), length);
    read.problem = between(body, R"("type":"/problems/)", "\"");
    read.executed = between(body, R"("executed":")", "\"");
    if (read.status == 201)
    {
        read.issuance = between(body, R"("id":")", "\"");
        read.block = between(body, R"("block":")", "\"");
        read.number = between(body, R"("first":")", "\"");
        read.ordinal = between(body, R"("ordinal":")", "\"");
        read.epoch = between(body, R"("epoch":")", "\"");
    }
    return whole;
}

}  // namespace gapless::load
