#include "reserve/trusted_tokens.hpp"

#include <algorithm>
#include <functional>
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

void trusted_tokens::replace(std::vector<trusted_token> tokens, std::size_t in_all)
{
    tokens_.clear();
    tokens.resize(std::min(tokens.size(), tokens_max));
    left_out_ = std::max(in_all, tokens.size()) - tokens.size();
    for (auto& token : tokens)
    {
        auto const token_id = token.token_id;
        tokens_.insert_or_assign(token_id, entry{std::move(token), nullptr});
    }
}

void trusted_tokens::note_used(std::int32_t token_id)
{
    used_[token_id] = ++uses_;
    if (used_.size() < 2 * tokens_max)
        return;
    std::unordered_map<std::int32_t, std::uint64_t> kept;
    for (auto const latest : latest_used())
        kept.emplace(latest, used_[latest]);
    used_ = std::move(kept);
}

std::vector<std::int32_t> trusted_tokens::used() const
{
    return left_out_ == 0 ? std::vector<std::int32_t>{} : latest_used();
}

std::vector<std::int32_t> trusted_tokens::latest_used() const
{
    std::vector<std::pair<std::uint64_t, std::int32_t>> all;
    all.reserve(used_.size());
    for (auto const& [token_id, use] : used_)
        all.emplace_back(use, token_id);
    std::ranges::sort(all, std::greater{});
    all.resize(std::min(all.size(), tokens_max));
    std::vector<std::int32_t> ids;
    ids.reserve(all.size());
    for (auto const& one : all)
        ids.push_back(one.second);
    return ids;
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
        return refusal{refusal_kind::unauthenticated, "the token is not valid"};
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
