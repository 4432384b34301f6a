#include "domain/idempotency_key.hpp"

#include "base/sha256.hpp"
#include "domain/limits.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace gapless {

namespace {

/// What a hexadecimal digit is worth, by character; -1: it is none. Each request has a key.
constexpr auto hex_values = [] {
    std::array<signed char, 256> values{};
    values.fill(-1);
    for (signed char n = 0; n < 16; ++n)
        for (std::string_view const digits : {"0123456789abcdef", "0123456789ABCDEF"})
            values[static_cast<unsigned char>(digits[static_cast<std::size_t>(n)])] = n;
    return values;
}();

/// The bytes of 8-4-4-4-12 hexadecimal digits, or none for any other text.
std::optional<idempotency_key> read_uuid(std::string_view text) noexcept
{
    if (text.size() != 36)
        return std::nullopt;
    idempotency_key key;
    std::size_t digit = 0;
    for (std::size_t n = 0; n < text.size(); ++n)
    {
        if (n == 8 || n == 13 || n == 18 || n == 23)
        {
            if (text[n] != '-')
                return std::nullopt;
            continue;
        }
        auto const value = hex_values[static_cast<unsigned char>(text[n])];
        if (value < 0)
            return std::nullopt;
        key.bytes[digit / 2] = static_cast<unsigned char>(key.bytes[digit / 2] << 4 | value);
        ++digit;
    }
    return key;
}

/// The text between the quotes, or none when the quoting is wrong.
std::optional<std::string> unquote(std::string_view header)
{
    if (header.size() < 2 || header.back() != '"')
        return std::nullopt;
    std::string text;
    for (std::size_t n = 1; n + 1 < header.size(); ++n)
    {
        if (header[n] == '"')
            return std::nullopt;
        if (header[n] == '\\')
        {
            ++n;
            if (n + 1 >= header.size() || (header[n] != '"' && header[n] != '\\'))
                return std::nullopt;
        }
        text += header[n];
    }
    return text;
}

idempotency_key to_key(std::string_view text)
{
    if (auto const uuid = read_uuid(text))
        return *uuid;
    auto const digest = sha256(text);
    idempotency_key key;
    std::copy_n(digest.begin(), key.bytes.size(), key.bytes.begin());
    return key;
}

refusal malformed(std::string why)
{
    return {refusal_kind::malformed_request, "Idempotency-Key: " + std::move(why)};
}

}  // namespace

result<idempotency_key> read_idempotency_key(std::string_view header)
{
    std::string unquoted;
    auto text = header;
    if (header.starts_with('"'))
    {
        auto inner = unquote(header);
        if (!inner)
            return malformed("the quotes do not fit together");
        unquoted = std::move(*inner);
        text = unquoted;
    }
    if (text.empty())
        return malformed("is empty");
    if (text.size() > idempotency_key_characters_max)
        return malformed("has " + std::to_string(text.size()) + " characters, allowed are 255");
    if (!std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; }))
        return malformed("only printable ASCII characters are allowed");
    return to_key(text);
}

}  // namespace gapless
