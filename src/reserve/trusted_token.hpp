#pragma once

#include "access/token_text.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gapless {

/// A valid token as it came with the reserve.
struct trusted_token
{
    std::int32_t token_id{};
    std::int32_t owner_id{};
    std::string name;
    secret_hash secret_check{};                      // SHA-256 of the secret's SHA-256
    unsigned scopes{};                               // of scope
    std::optional<std::vector<std::string>> series;  // none: all series
    std::optional<database_time> expires_at;
    std::optional<std::int64_t> rate;  // here and below: none: the service's default
    std::optional<std::int64_t> burst;
    std::optional<std::int64_t> daily_quota;
};

}  // namespace gapless
