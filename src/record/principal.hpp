#pragma once

#include "base/sha256.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// The rights of a token; a set of these bits.
enum class scope : unsigned
{
    issue = 1,
    read = 2,
    load = 4,
    admin = 8,
};

/// The scope of that name, or nullopt.
std::optional<scope> read_scope(std::string_view name) noexcept;

/// The name of one scope.
std::string_view name_of(scope each) noexcept;

using secret_hash = sha256_digest;

/// How much a token may use; 0: no limit. Where a token has no limit of its own, the service's
/// applies.
struct token_limits
{
    std::int64_t rate{};         // requests per second, of one instance
    std::int64_t burst{};        // requests at once; 0: one second's worth
    std::int64_t daily_quota{};  // numbers per day, of all instances
};

/// A client whose token was found valid.
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

    /// True if this token may see the series. For other tokens it must look as if it did not exist.
    bool sees(std::string_view name_of_series) const noexcept;
};

/// On whose behalf a request acts. The database checks the token itself before it acts.
struct request_actor
{
    std::string name;         // "token:<name>"
    std::int32_t token_id{};  // 0: the connected user itself
    secret_hash hash{};       // of the token's secret
    std::string request_id;   // as in the log of the service; empty: none
};

}  // namespace gapless
