#include "base/json_text.hpp"

#include <algorithm>
#include <array>

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

        auto const length = character_bytes(text);
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

std::size_t character_bytes(std::string_view text) noexcept
{
    auto const at = [&](std::size_t n) { return static_cast<unsigned char>(text[n]); };
    auto const continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    auto const lead = at(0);
    std::size_t const size = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
    if (size == 0 || text.size() < size ||
        !std::ranges::all_of(text.substr(1, size - 1), continues))
        return 0;
    bool const overlong = (lead == 0xE0 && at(1) < 0xA0) || (lead == 0xF0 && at(1) < 0x90);
    bool const surrogate = lead == 0xED && at(1) >= 0xA0;
    bool const beyond = lead == 0xF4 && at(1) >= 0x90;
    return overlong || surrogate || beyond ? 0 : size;
}

bool is_utf8(std::string_view text) noexcept
{
    while (!text.empty())
    {
        auto const length = character_bytes(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

}  // namespace gapless
