#include "access/token_text.hpp"

#include "base/text.hpp"

#include <boost/crc.hpp>

#include <algorithm>
#include <array>
#include <openssl/rand.h>
#include <stdexcept>

namespace gapless {

namespace {

constexpr std::string_view prefix = "gapless_";
constexpr std::string_view digits_62 =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::size_t secret_characters = 43;
constexpr std::size_t checksum_characters = 6;

std::array<char, checksum_characters> checksum(std::string_view text)
{
    boost::crc_32_type crc;  // as in zlib
    crc.process_bytes(text.data(), text.size());
    auto rest = crc.checksum();
    std::array<char, checksum_characters> out;
    out.fill('0');
    for (auto at = out.rbegin(); at != out.rend(); ++at, rest /= 62)
        *at = digits_62[rest % 62];
    return out;
}

}  // namespace

std::optional<token_text> read_token(std::string_view text) noexcept
{
    if (!text.starts_with(prefix) || text.size() > 80)
        return std::nullopt;
    auto const underscore = text.find('_', prefix.size());
    if (underscore == std::string_view::npos ||
        text.size() != underscore + 1 + secret_characters + checksum_characters)
        return std::nullopt;

    token_text parts;
    auto const id = text.substr(prefix.size(), underscore - prefix.size());
    parts.token_id = read_decimal<std::int32_t>(id).value_or(0);
    if (parts.token_id < 1)
        return std::nullopt;

    parts.secret = text.substr(underscore + 1, secret_characters);
    if (!std::ranges::equal(
            text.substr(underscore + 1 + secret_characters),
            checksum(text.substr(0, underscore + 1 + secret_characters))
        ))
        return std::nullopt;
    return parts;
}

std::string make_token_secret()
{
    std::string secret;
    while (secret.size() < secret_characters)
    {
        unsigned char random[64];
        if (RAND_bytes(random, sizeof random) != 1)
            throw std::runtime_error{"the system gives no random bytes for a token"};
        // 248 = 4 * 62: larger bytes would make the first of digits_62 more likely.
        for (auto const byte : random)
            if (byte < 248 && secret.size() < secret_characters)
                secret += digits_62[byte % 62];
    }
    return secret;
}

std::string to_token_text(std::int32_t token_id, std::string_view secret)
{
    auto text = std::string{prefix} + std::to_string(token_id) + '_' + std::string{secret};
    auto const ending = checksum(text);
    return text.append(ending.data(), ending.size());
}

secret_hash hash_token_secret(std::string_view secret)
{
    return sha256(secret);
}

token_limits limits_of(token_record const& token, token_limits const& usual) noexcept
{
    return {
        .rate = token.rate.value_or(usual.rate),
        .burst = token.burst.value_or(token.rate ? 0 : usual.burst),
        .daily_quota = token.daily_quota.value_or(usual.daily_quota)};
}

}  // namespace gapless
