#include "access/token_cache.hpp"

#include <algorithm>
#include <openssl/crypto.h>

namespace gapless {

token_cache::known token_cache::find(token_text const& token, clock::time_point now)
{
    auto const found = entries_.find(token.token_id);
    if (found == entries_.end())
        return {};
    auto& kept = found->second;
    if (now > kept.end)
    {
        entries_.erase(found);
        return {};
    }
    auto const hash = hash_token_secret(token.secret);
    if (CRYPTO_memcmp(hash.data(), kept.who->hash.data(), hash.size()) != 0)
        return {};
    auto const due = !kept.renewing && now > kept.due;
    kept.renewing = kept.renewing || due;
    return {kept.who, due};
}

std::shared_ptr<principal const> token_cache::keep(
    token_record const& record, secret_hash const& hash, clock::time_point asked
)
{
    if (!record.in_force)
    {
        forget(record.token_id);
        return nullptr;
    }
    if (entries_.size() >= tokens_max)
        entries_.clear();  // cheaper than LRU order, and never happens in practice
    auto who = std::make_shared<principal>();
    who->token_id = record.token_id;
    who->owner_id = record.owner_id;
    who->name = record.name;
    who->hash = hash;
    who->series = record.series;
    who->limits = limits_of(record, usual_);
    for (auto const& name : record.scopes)
        if (auto const allowed = read_scope(name))
            who->scopes |= static_cast<unsigned>(*allowed);
    std::chrono::microseconds const life{life_};
    auto const left = std::min(life, record.expires_in.value_or(life));
    entries_[record.token_id] = {who, asked + life_ / 2, asked + left, false};
    return who;
}

}  // namespace gapless
