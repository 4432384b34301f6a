#pragma once

#include "domain/trusted_token.hpp"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace gapless {

/// The SHA-256 of a hash: what `secret_check` is of `secret_hash`.
secret_hash check_of(secret_hash const& hash);

/// The tokens that may issue while the database cannot be asked: at most 10,000 of them. I/O
/// thread only.
class trusted_tokens
{
public:
    static constexpr std::size_t tokens_max = 10'000;

    /// `usual`: the limits of tokens without a word of their own.
    explicit trusted_tokens(token_limits const& usual) : usual_{usual} {}

    /// What the database says now; more than tokens_max: none is trusted.
    void replace(std::vector<trusted_token> tokens);

    /// Who presents this token at that moment of the database. Refuses with unauthenticated for a
    /// known id with another secret and for an expired token, with database_unavailable for an
    /// unknown id: it may be newer. Compares in constant time.
    result<std::shared_ptr<principal const>> find(token_text const& token, database_time now);

    bool empty() const noexcept { return tokens_.empty(); }

    /// Whether a token of that owner is among them.
    bool knows_owner(std::int32_t owner_id) const noexcept;

private:
    struct entry
    {
        trusted_token token;
        std::shared_ptr<principal const> who;  // once the secret was shown
    };

    token_limits usual_;
    std::unordered_map<std::int32_t, entry> tokens_;
};

}  // namespace gapless
