#include "http/head_scanner.hpp"

#include "base/text.hpp"

namespace gapless {

bool head_scanner::found(std::string_view detail) noexcept
{
    fault_ = fault{400, detail};
    return true;
}

bool head_scanner::scan(std::string_view received) noexcept
{
    // The first byte decides, so that the answer does not depend on how many arrive with it.
    constexpr char tls_handshake = 0x16;
    if (received.starts_with(tls_handshake))
        return found("These bytes are TLS, and this address speaks plain HTTP: request http://.");
    if (!received.empty() && !is_letter(received.front()))
        return found("The request does not begin with a method.");

    for (;;)
    {
        if (line_ != 0 && line_ < received.size() &&
            (received[line_] == ' ' || received[line_] == '\t'))
            return found("A header field is folded over several lines.");

        auto const feed = received.find('\n', scanned_);
        if (feed == std::string_view::npos)
        {
            scanned_ = received.size();
            return false;
        }
        if (feed == line_ || received[feed - 1] != '\r')
            return found("A line of the header does not end with CR LF.");
        scanned_ = feed + 1;
        if (feed == line_ + 1)
        {
            end_ = feed + 1;
            return true;
        }
        line_ = feed + 1;
    }
}

}  // namespace gapless
