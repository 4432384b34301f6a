#pragma once

#include "base/sha256.hpp"
#include "domain/issuance.hpp"
#include "domain/refusal.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// What a token allows; a set of these bits.
enum class scope : unsigned
{
    issue = 1,
    read = 2,
    load = 4,
    admin = 8,
};

/// The scope of that name, or none.
std::optional<scope> read_scope(std::string_view name) noexcept;

/// The name of one scope.
std::string_view name_of(scope each) noexcept;

using secret_hash = sha256_digest;

/// The parts of a token's text: gapless_<id>_<secret><crc>, secret = 43 and crc = 6 characters of
/// 0-9A-Za-z. The secret holds 256 random bits; the checksum lets a mistyped token be refused
/// without asking the database.
struct token_text
{
    std::int32_t token_id{};
    std::string_view secret;  // part of the text that was read
};

/// The parts of a well-formed token, or none. Looks at form and checksum only.
std::optional<token_text> read_token(std::string_view text) noexcept;

/// A new random secret, 43 characters. Throws std::runtime_error when the system has no randomness.
std::string make_token_secret();

/// The text a client presents for a secret.
std::string to_token_text(std::int32_t token_id, std::string_view secret);

/// SHA-256 of the secret: what the database keeps.
secret_hash hash_token_secret(std::string_view secret);

/// How much a token may take; 0: no limit. Where a token has no word of its own, the service's
/// holds.
struct token_limits
{
    std::int64_t rate{};         // requests per second, of one instance
    std::int64_t burst{};        // requests at once; 0: those of one second
    std::int64_t daily_quota{};  // numbers per day (UTC), of all instances
};

inline constexpr std::int64_t rate_max = 1'000'000;
inline constexpr std::int64_t daily_quota_max = 1'000'000'000'000;

/// A token as the database knows it.
struct token_record
{
    std::int32_t token_id{};
    std::int32_t owner_id{};
    std::string name;
    std::vector<std::string> scopes;
    std::optional<std::vector<std::string>> series;  // none: every series
    std::optional<database_time> expires_at;
    database_time created_at;
    std::optional<database_time> revoked_at;
    bool in_force{};
    // Of its own; none: the service's.
    std::optional<std::int64_t> rate{};
    std::optional<std::int64_t> burst{};
    std::optional<std::int64_t> daily_quota{};
};

/// The limits of a token: its own words, else the service's. A rate of its own comes with its own
/// burst.
token_limits limits_of(token_record const& token, token_limits const& usual) noexcept;

/// Who is asking, once the token was found good.
struct principal
{
    std::int32_t token_id{};
    std::int32_t owner_id{};
    std::string name;
    secret_hash hash{};                              // of the secret that was presented
    unsigned scopes{};                               // of scope
    std::optional<std::vector<std::string>> series;  // none: every series
    token_limits limits{};

    bool may(scope wanted) const noexcept { return (scopes & static_cast<unsigned>(wanted)) != 0; }

    /// True when the series is one of this token's. To others it must look as if it did not exist.
    bool sees(std::string_view name_of_series) const noexcept;
};

/// Numbers of a day's quota that a request took and may give back. Count 0: none.
struct quota_share
{
    std::int32_t token_id{};
    std::int32_t day{};
    std::int64_t count{};
};

/// Who does what a request asks for. The database looks at the token itself before it acts.
struct request_actor
{
    std::string name;         // "token:<name>"
    std::int32_t token_id{};  // 0: whoever is connected, in his own right
    secret_hash hash{};       // of the token's secret
    std::string request_id;   // as in the log of the service; empty: none
};

}  // namespace gapless
