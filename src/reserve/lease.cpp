#include "reserve/lease.hpp"

#include <array>
#include <openssl/rand.h>
#include <stdexcept>
#include <utility>

namespace gapless {

namespace {

constexpr std::string_view digits{"0123456789abcdef"};
constexpr std::size_t text_characters = 36;

constexpr bool stands_before_dash(std::size_t byte) noexcept
{
    return byte == 4 || byte == 6 || byte == 8 || byte == 10;
}

constexpr std::array status_names{
    std::pair{lease_status::open, std::string_view{"open"}},
    std::pair{lease_status::recalled, std::string_view{"recalled"}},
    std::pair{lease_status::closed, std::string_view{"closed"}},
    std::pair{lease_status::lost, std::string_view{"lost"}}};

}  // namespace

std::string to_text(lease_id const& id)
{
    std::string text;
    text.reserve(text_characters);
    for (std::size_t n = 0; n < id.bytes.size(); ++n)
    {
        if (stands_before_dash(n))
            text += '-';
        text += digits[id.bytes[n] >> 4];
        text += digits[id.bytes[n] & 15];
    }
    return text;
}

std::optional<lease_id> read_lease_id(std::string_view text) noexcept
{
    if (text.size() != text_characters)
        return std::nullopt;
    lease_id id;
    std::size_t at = 0;
    for (std::size_t n = 0; n < id.bytes.size(); ++n)
    {
        if (stands_before_dash(n) && text[at++] != '-')
            return std::nullopt;
        auto const high = digits.find(text[at++]);
        auto const low = digits.find(text[at++]);
        if (high == std::string_view::npos || low == std::string_view::npos)
            return std::nullopt;
        id.bytes[n] = static_cast<unsigned char>(high << 4 | low);
    }
    return id;
}

lease_id make_lease_id()
{
    lease_id id;
    if (RAND_bytes(id.bytes.data(), static_cast<int>(id.bytes.size())) != 1)
        throw std::runtime_error{"the system gives no random bytes for the id of a lease"};
    // RFC 9562: version 4, variant 10.
    id.bytes[6] = static_cast<unsigned char>((id.bytes[6] & 0x0f) | 0x40);
    id.bytes[8] = static_cast<unsigned char>((id.bytes[8] & 0x3f) | 0x80);
    return id;
}

instance_secret make_instance_secret()
{
    instance_secret secret;
    if (RAND_bytes(secret.data(), static_cast<int>(secret.size())) != 1)
        throw std::runtime_error{"the system gives no random bytes for the secret of an instance"};
    return secret;
}

std::string_view name_of(lease_status status) noexcept
{
    for (auto const& [value, name] : status_names)
        if (value == status)
            return name;
    return {};
}

std::optional<lease_status> read_lease_status(std::string_view name) noexcept
{
    for (auto const& [value, its_name] : status_names)
        if (its_name == name)
            return value;
    return std::nullopt;
}

}  // namespace gapless
