#pragma once

#include "issuing/issuance.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gapless::test {

/// What a new token is to allow.
struct wanted_token
{
    std::string name;
    std::vector<std::string> scopes;
    std::optional<std::vector<std::string>> series{};
    std::optional<database_time> expires_at{};
    std::optional<std::int64_t> rate{};
    std::optional<std::int64_t> burst{};
    std::optional<std::int64_t> daily_quota{};
};

struct made_token
{
    std::int32_t token_id{};
    std::int32_t owner_id{};
    std::string text;
};

/// Creates a token as the superuser does, without asking what a token may be.
made_token make_token(pqxx::transaction_base& transaction, wanted_token const& wanted);

}  // namespace gapless::test
