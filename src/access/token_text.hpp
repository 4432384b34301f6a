#pragma once

#include "base/moment.hpp"
#include "record/principal.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// The parts of a token's text: gapless_<id>_<secret><crc>, secret = 43 and crc = 6 characters of
/// 0-9A-Za-z. The secret holds 256 random bits; the checksum lets a mistyped token be refused
/// without asking the database.
struct token_text
{
    std::int32_t token_id{};
    std::string_view secret;  // points into the text that was read
};

/// The parts of a well-formed token, or nullopt. Checks form and checksum only.
std::optional<token_text> read_token(std::string_view text) noexcept;

/// A new random secret, 43 characters. Throws std::runtime_error if the system has no randomness.
std::string make_token_secret();

/// The text a client presents for a secret.
std::string to_token_text(std::int32_t token_id, std::string_view secret);

/// SHA-256 of the secret: what the database keeps.
secret_hash hash_token_secret(std::string_view secret);

inline constexpr std::int64_t rate_max = 1'000'000;
inline constexpr std::int64_t daily_quota_max = 1'000'000'000'000;

/// A token as stored in the database.
struct token_record
{
    std::int32_t token_id{};
    std::int32_t owner_id{};
    std::string name;
    std::vector<std::string> scopes;
    std::optional<std::vector<std::string>> series;       // none: every series
    std::optional<std::chrono::microseconds> expires_in;  // by the database's clock; none: never
    std::optional<database_time> revoked_at;
    bool in_force{};
    // Its own; none: the service's.
    std::optional<std::int64_t> rate{};
    std::optional<std::int64_t> burst{};
    std::optional<std::int64_t> daily_quota{};
};

/// The limits of a token: its own, else the service's. A rate of its own comes with its own burst.
token_limits limits_of(token_record const& token, token_limits const& usual) noexcept;

/// Numbers of a day's quota that a request has taken and may return. Count 0: none.
struct quota_share
{
    std::int32_t token_id{};
    std::int32_t day{};
    std::int64_t count{};
};

}  // namespace gapless
