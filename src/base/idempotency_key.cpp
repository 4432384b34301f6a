#include "base/idempotency_key.hpp"

#include "base/limits.hpp"
#include "base/sha256.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace gapless {

namespace {

/// The value of a hexadecimal digit; -1: not one. A table for speed: each request has a key.
constexpr auto hex_values = [] {
    std::array<signed char, 256> values{};
    values.fill(-1);
    for (signed char n = 0; n < 16; ++n)
        for (std::string_view const digits : {"0123456789abcdef", "0123456789ABCDEF"})
            values[static_cast<unsigned char>(digits[static_cast<std::size_t>(n)])] = n;
    return values;
}();

/// Longer ones are refused for their length; searching for repetitions takes quadratic time.
constexpr std::size_t folded_characters_max{4 * (idempotency_key_characters_max + 4)};

/// The bytes of 8-4-4-4-12 hexadecimal digits, or nullopt for any other text.
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

/// The text between the quotes, or nullopt if the quoting is wrong.
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

std::string_view skip_blanks(std::string_view text) noexcept
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text;
}

/// Whether the text is `part`, and `part` again after each comma.
bool repeats(std::string_view text, std::string_view part) noexcept
{
    while (text.starts_with(part))
    {
        text = skip_blanks(text.substr(part.size()));
        if (text.empty())
            return true;
        if (text.front() != ',')
            return false;
        text = skip_blanks(text.substr(1));
    }
    return false;
}

/// Whether a proxy has folded equal fields into one (RFC 9110, 5.3), which would be another key and
/// get other numbers.
bool is_folded(std::string_view text) noexcept
{
    if (text.size() > folded_characters_max)
        return false;
    if (text.find_first_not_of(", \t") == text.npos)  // of empty fields
        return text.find(',') != text.npos;
    for (auto comma = text.find(','); comma != text.npos; comma = text.find(',', comma + 1))
    {
        auto const before = text.substr(0, comma);
        auto const part = before.substr(0, before.find_last_not_of(" \t") + 1);
        if (!part.empty() && repeats(text, part))
            return true;
    }
    return false;
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

/// What programs write for a value that is missing: the key of every request, so that all would get
/// one number.
bool is_missing_value(std::string_view text) noexcept
{
    constexpr std::array<std::string_view, 9> words{
        "undefined", "null", "NULL", "nil", "None", "NaN", "(null)", "<nil>", "[object Object]"};
    return std::ranges::find(words, text) != words.end();
}

refusal malformed(std::string why)
{
    return {refusal_kind::malformed_request, "Idempotency-Key: " + std::move(why)};
}

}  // namespace

result<idempotency_key> read_idempotency_key(std::string_view header)
{
    constexpr auto const* folded =
        "is the same key several times, joined by commas: a proxy joined equal fields of one "
        "request, or the client sent them; send the field once";
    if (is_folded(header))
        return malformed(folded);
    std::string unquoted;
    auto text = header;
    if (header.starts_with('"'))
    {
        auto inner = unquote(header);
        if (!inner)
            return malformed(
                "begins with a quote, so it has to end with one; inside, write \\\" and \\\\"
            );
        unquoted = std::move(*inner);
        text = unquoted;
    }
    if (text.empty())
        return malformed("is empty; give each request a name of its own");
    if (is_folded(text))
        return malformed(folded);
    if (is_missing_value(text))
        return malformed(
            "is '" + std::string{text} +
            "', which a program writes for a missing value; give each request a name of its own"
        );
    if (text.size() > idempotency_key_characters_max)
        return malformed("has " + std::to_string(text.size()) + " characters, allowed are 255");
    if (!std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; }))
        return malformed(
            "only printable ASCII characters are allowed, such as a UUID or order-4711/1"
        );
    return to_key(text);
}

}  // namespace gapless
