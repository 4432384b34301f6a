#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace gapless::test {

/// Where a reader that trusts nothing but RFC 9112 sees a request.
struct told_request
{
    std::string method;
    std::string target;
    std::string body;

    friend bool operator==(told_request const&, told_request const&) = default;
};

/// The Content-Length among the lines of a head, read digit by digit; 0 when there is none.
inline std::size_t told_length(std::string_view head)
{
    constexpr std::string_view name{"\r\ncontent-length:"};
    std::string small{head};
    std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
    auto const line = small.find(name);
    if (line == std::string::npos)
        return 0;
    auto const digits = small.find_first_not_of(" \t", line + name.size());
    std::size_t length = 0;
    for (auto at = digits; at < small.size() && std::isdigit(static_cast<unsigned char>(small[at]));
         ++at)
        length =
            std::min<std::size_t>(length * 10 + static_cast<unsigned>(small[at] - '0'), 1U << 30);
    return length;
}

/// All requests in what one connection sends, simply: head up to the first empty line, body as long
/// as Content-Length says. Knows nothing of faults: what follows one is told, and wrong.
inline std::vector<told_request> tell_requests(std::string_view sent)
{
    std::vector<told_request> told;
    while (!sent.empty())
    {
        if (sent.starts_with("\r\n"))
            sent.remove_prefix(2);
        auto const head_end = sent.find("\r\n\r\n");
        if (head_end == std::string_view::npos)
            break;
        auto const head = sent.substr(0, head_end + 2);
        sent.remove_prefix(head_end + 4);
        auto const line = head.substr(0, head.find("\r\n"));
        auto const method = line.substr(0, line.find(' '));
        auto const behind = line.substr(std::min(line.size(), method.size() + 1));
        auto const body = sent.substr(0, told_length(head));
        sent.remove_prefix(body.size());
        told.push_back(
            {std::string{method},
             std::string{behind.substr(0, behind.find(' '))},
             std::string{body}}
        );
    }
    return told;
}

}  // namespace gapless::test
