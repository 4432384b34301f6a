#pragma once

#include "access/token_text.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>

namespace gapless {

/// Caches tokens, so that the database is not asked with every request. An entry is at most `life`
/// old, which bounds how long a revoked token still works, and ends when its token expires. Lives
/// on the I/O thread.
class token_cache
{
public:
    using clock = std::chrono::steady_clock;

    static constexpr std::size_t tokens_max = 10'000;

    /// `life`: how long an entry may be used; from half of it on it is due for renewal. `usual`:
    /// the limits of tokens without limits of their own.
    explicit token_cache(std::chrono::milliseconds life, token_limits const& usual = {})
        : life_{life},
          usual_{usual}
    {
    }

    struct known
    {
        std::shared_ptr<principal const> who;  // null: unknown, or wrong secret
        bool due{};                            // ask again soon; this one may still be used
    };

    /// The principal of this token, if the cache has it. Compares in constant time.
    known find(token_text const& token, clock::time_point now);

    /// Stores what the database, asked at that time, reports of a token whose secret has that hash,
    /// and returns whose it is; null: it is not in force.
    std::shared_ptr<principal const> keep(
        token_record const& record, secret_hash const& hash, clock::time_point asked
    );

    /// Forgets a token, for instance a revoked one.
    void forget(std::int32_t token_id) noexcept { entries_.erase(token_id); }

private:
    struct entry
    {
        std::shared_ptr<principal const> who;
        clock::time_point due;  // for renewal
        clock::time_point end;
        bool renewing{};
    };

    std::chrono::milliseconds life_;
    token_limits usual_;
    std::unordered_map<std::int32_t, entry> entries_;
};

}  // namespace gapless
