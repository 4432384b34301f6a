#pragma once

#include "domain/issuance.hpp"
#include "domain/refusal.hpp"

#include <array>
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

using secret_hash = std::array<unsigned char, 32>;

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

/// A token as the database knows it.
struct token_record
{
    std::int32_t token_id{};
    std::int32_t owner_id{};
    std::string name;
    secret_hash hash{};
    std::vector<std::string> scopes;
    std::optional<std::vector<std::string>> series;  // none: every series
    std::optional<database_time> expires_at;
    database_time created_at;
    std::optional<database_time> revoked_at;
    bool in_force{};
};

/// Who is asking, once the token was found good.
struct principal
{
    std::int32_t token_id{};
    std::int32_t owner_id{};
    std::string name;
    unsigned scopes{};                               // of scope
    std::optional<std::vector<std::string>> series;  // none: every series

    bool may(scope wanted) const noexcept { return (scopes & static_cast<unsigned>(wanted)) != 0; }

    /// True when the series is one of this token's. To others it must look as if it did not exist.
    bool sees(std::string_view name_of_series) const noexcept;
};

}  // namespace gapless
