#include "reserve/trusted_tokens.hpp"

#include <algorithm>
#include <openssl/crypto.h>
#include <string>
#include <utility>

namespace gapless {

namespace {

bool same(secret_hash const& one, secret_hash const& other) noexcept
{
    return CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

token_limits limits_of(trusted_token const& token, token_limits const& usual)
{
    token_record words;
    words.rate = token.rate;
    words.burst = token.burst;
    words.daily_quota = token.daily_quota;
    return gapless::limits_of(words, usual);
}

}  // namespace

secret_hash check_of(secret_hash const& hash)
{
    return sha256(hash);
}

void trusted_tokens::replace(std::vector<trusted_token> tokens)
{
    tokens_.clear();
    if (tokens.size() > tokens_max)
        return;
    for (auto& token : tokens)
    {
        auto const token_id = token.token_id;
        tokens_.insert_or_assign(token_id, entry{std::move(token), nullptr});
    }
}

bool trusted_tokens::knows_owner(std::int32_t owner_id) const noexcept
{
    return std::ranges::any_of(tokens_, [owner_id](auto const& one) {
        return one.second.token.owner_id == owner_id;
    });
}

result<std::shared_ptr<principal const>> trusted_tokens::find(
    token_text const& token, database_time now
)
{
    auto const found = tokens_.find(token.token_id);
    if (found == tokens_.end())
        return unavailable(
            trouble_kind::disconnected,
            "the database cannot be asked, and token " + std::to_string(token.token_id) +
                " is not among those that came with the reserve; repeat the request when the "
                "database is back"
        );
    auto& [known, who] = found->second;
    auto const hash = hash_token_secret(token.secret);
    if (who ? !same(hash, who->hash) : !same(check_of(hash), known.secret_check))
        return refusal{refusal_kind::unauthenticated, "the token is not in force"};
    if (known.expires_at && *known.expires_at <= now)
        return refusal{refusal_kind::unauthenticated, "the token has expired"};
    if (!who)
        who = std::make_shared<principal const>(principal{
            .token_id = known.token_id,
            .owner_id = known.owner_id,
            .name = known.name,
            .hash = hash,
            .scopes = known.scopes,
            .series = known.series,
            .limits = limits_of(known, usual_)});
    return who;
}

}  // namespace gapless
