#include "http/target.hpp"

#include "base/contract.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace gapless {

namespace {

refusal malformed(std::string detail)
{
    return {refusal_kind::malformed_request, std::move(detail)};
}

refusal unknown_parameter(std::string const& name, std::span<std::string_view const> allowed)
{
    constexpr std::size_t shown_bytes_max = 64;
    auto detail = "The query parameter " + name.substr(0, shown_bytes_max) + " is unknown: ";
    if (allowed.empty())
        return malformed(detail + "this path takes none.");
    detail += "this path takes ";
    for (auto const& each : allowed)
        detail.append(&each == allowed.data() ? "" : ", ").append(each);
    return malformed(detail + ".");
}

int hex_value(char c) noexcept
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/// FNC1 (0x1d) does not count: scanners send it in numbers.
bool is_control(char c) noexcept
{
    return (static_cast<unsigned char>(c) < 0x20 && c != 0x1d) || c == 0x7f;
}

}  // namespace

result<std::string> decode_percent(std::string_view text)
{
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t n = 0; n < text.size(); ++n)
    {
        auto c = text[n];
        if (c == '%')
        {
            auto const high = n + 1 < text.size() ? hex_value(text[n + 1]) : -1;
            auto const low = n + 2 < text.size() ? hex_value(text[n + 2]) : -1;
            if (high < 0 || low < 0)
                return malformed("A percent sign in the target is not followed by two digits.");
            c = static_cast<char>(high << 4 | low);
            n += 2;
        }
        if (is_control(c))
            return malformed("The target holds a control character.");
        decoded += c;
    }
    if (!is_utf8(decoded))
        return malformed("The target is not UTF-8.");
    return decoded;
}

void append_percent_encoded(std::string& target, std::string_view text)
{
    constexpr std::string_view digits{"0123456789ABCDEF"};
    constexpr std::string_view plain{"-._~:"};
    for (auto const c : text)
    {
        auto const byte = static_cast<unsigned char>(c);
        auto const is_plain = is_digit(c) || is_letter(c) || plain.find(c) != plain.npos;
        if (is_plain)
            target += c;
        else
            target.append(1, '%').append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
    }
}

result<void> query_values::read(
    std::string_view query, std::span<std::string_view const> allowed, named_values* more
)
{
    ensure(allowed.size() <= parameters_max, "a query has few parameters");
    names_ = allowed;
    values_ = {};
    while (!query.empty())
    {
        auto const pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(pair.size() + 1, query.size()));
        auto const equals = pair.find('=');
        auto const name = decode_percent(pair.substr(0, equals));
        if (name.has_error())
            return name.error();
        auto const place = static_cast<std::size_t>(
            std::ranges::find(allowed, std::string_view{*name}) - allowed.begin()
        );
        auto const is_allowed = place < allowed.size();
        if (!is_allowed && more == nullptr)
            return unknown_parameter(*name, allowed);
        if (is_allowed ? values_[place].has_value() : more->contains(*name))
            return malformed("The query parameter " + *name + " is given twice.");
        auto value = decode_percent(
            equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1)
        );
        if (value.has_error())
            return value.error();
        if (is_allowed)
            values_[place] = std::move(*value);
        else
            more->emplace(*name, std::move(*value));
    }
    return {};
}

std::optional<std::string_view> query_values::find(std::string_view name) const noexcept
{
    for (std::size_t place = 0; place < names_.size(); ++place)
        if (names_[place] == name && values_[place])
            return *values_[place];
    return std::nullopt;
}

}  // namespace gapless
