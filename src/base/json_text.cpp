#include "base/json_text.hpp"

#include <array>
#include <cstddef>

namespace gapless {

namespace {

/// True for bytes that a JSON string may contain unescaped: printable ASCII except the quote and
/// the backslash.
constexpr auto plain_bytes = [] {
    std::array<bool, 256> plain{};
    for (std::size_t byte = 0x20; byte < 0x7f; ++byte)
        plain[byte] = byte != '"' && byte != '\\';
    return plain;
}();

bool is_continuation(unsigned char byte) noexcept
{
    return (byte & 0xc0) == 0x80;
}

/// The length of the UTF-8 sequence at the front (RFC 3629: shortest form, no surrogates); 0 if
/// there is none.
std::size_t sequence_length(std::string_view text) noexcept
{
    auto const byte = [text](std::size_t n) {
        return n < text.size() ? static_cast<unsigned char>(text[n])
                               : static_cast<unsigned char>(0);
    };
    auto const lead = byte(0);
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead <= 0xdf)
        return is_continuation(byte(1)) ? 2 : 0;
    if (lead >= 0xe0 && lead <= 0xef)
    {
        auto const least = lead == 0xe0 ? 0xa0 : 0x80;
        auto const most = lead == 0xed ? 0x9f : 0xbf;
        return byte(1) >= least && byte(1) <= most && is_continuation(byte(2)) ? 3 : 0;
    }
    if (lead >= 0xf0 && lead <= 0xf4)
    {
        auto const least = lead == 0xf0 ? 0x90 : 0x80;
        auto const most = lead == 0xf4 ? 0x8f : 0xbf;
        return byte(1) >= least && byte(1) <= most && is_continuation(byte(2)) &&
                       is_continuation(byte(3))
                   ? 4
                   : 0;
    }
    return 0;
}

void append_escaped(std::string& json, char c)
{
    constexpr auto digits = "0123456789abcdef";
    switch (c)
    {
    case '"': json += "\\\""; return;
    case '\\': json += "\\\\"; return;
    case '\n': json += "\\n"; return;
    case '\r': json += "\\r"; return;
    case '\t': json += "\\t"; return;
    default:
        json += "\\u00";
        json += digits[static_cast<unsigned char>(c) >> 4];
        json += digits[static_cast<unsigned char>(c) & 15];
    }
}

}  // namespace

void append_json_string(std::string& json, std::string_view text)
{
    json += '"';
    while (!text.empty())
    {
        std::size_t plain = 0;
        while (plain < text.size() && plain_bytes[static_cast<unsigned char>(text[plain])])
            ++plain;
        json.append(text.substr(0, plain));
        text.remove_prefix(plain);
        if (text.empty())
            break;

        auto const length = sequence_length(text);
        if (length == 0)
            json += "\xef\xbf\xbd";
        else if (length == 1)
            append_escaped(json, text.front());
        else
            json.append(text.substr(0, length));
        text.remove_prefix(length == 0 ? 1 : length);
    }
    json += '"';
}

bool is_utf8(std::string_view text) noexcept
{
    while (!text.empty())
    {
        auto const length = sequence_length(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

}  // namespace gapless
