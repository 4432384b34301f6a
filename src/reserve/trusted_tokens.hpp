#pragma once

#include "base/refusal.hpp"
#include "reserve/trusted_token.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace gapless {

/// The SHA-256 of a hash, that is, the `secret_check` of a `secret_hash`.
secret_hash check_of(secret_hash const& hash);

/// The tokens that may issue during an outage: at most tokens_max of them. I/O thread only.
class trusted_tokens
{
public:
    static constexpr std::size_t tokens_max = 10'000;

    /// `usual`: the limits of tokens without limits of their own.
    explicit trusted_tokens(token_limits const& usual) : usual_{usual} {}

    /// Takes over the database's tokens; the first tokens_max are trusted. `in_all`: their number.
    void replace(std::vector<trusted_token> tokens, std::size_t in_all);

    /// A token was used with its secret: if there are too many, those in use are trusted first.
    void note_used(std::int32_t token_id);

    /// The used tokens, most recent first; at most tokens_max. Empty while all are trusted.
    std::vector<std::int32_t> used() const;

    /// How many valid tokens are not trusted, because there are too many.
    std::size_t left_out() const noexcept { return left_out_; }

    /// The principal of this token at that moment of the database. Refuses with unauthenticated a
    /// known id with another secret and an expired token, with database_unavailable an unknown id:
    /// the token may be newer. Compares in constant time.
    result<std::shared_ptr<principal const>> find(token_text const& token, database_time now);

    bool empty() const noexcept { return tokens_.empty(); }

    /// Whether a token of that owner is among them.
    bool knows_owner(std::int32_t owner_id) const noexcept;

private:
    struct entry
    {
        trusted_token token;
        std::shared_ptr<principal const> who;  // once the secret was presented
    };

    std::vector<std::int32_t> latest_used() const;

    token_limits usual_;
    std::unordered_map<std::int32_t, entry> tokens_;
    std::size_t left_out_{};
    std::unordered_map<std::int32_t, std::uint64_t> used_;  // token ids; higher: later
    std::uint64_t uses_{};
};

}  // namespace gapless
