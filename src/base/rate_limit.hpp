#pragma once

#include "base/contract.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>

namespace gapless {

/// How often something may happen: `count` times in a period, `burst` times at once.
struct rate
{
    std::int64_t count{};  // at least 1
    std::chrono::seconds period{1};
    std::int64_t burst{};  // 0: as many as count
};

/// A token bucket for each key, stored as the moment at which it is full again (the generic cell
/// rate algorithm). Beyond keys_max keys, the least recently used one is forgotten and starts again
/// with a full bucket: memory is bounded, and a key in constant use is never forgotten. Has no
/// clock: the time goes in. One thread at a time.
template <class Key>
class rate_limit
{
public:
    using clock = std::chrono::steady_clock;

    static constexpr std::size_t keys_max = 10'000;

    /// Takes one from the bucket of `key`. Returns 0, or how long until one is available; then
    /// nothing was taken.
    clock::duration take(Key const& key, rate const& allowed, clock::time_point now)
    {
        auto& full_at = use(key);
        auto const wait = wait_for(full_at, allowed, now);
        if (wait == clock::duration::zero())
            full_at = std::max(full_at, now) + interval_of(allowed);
        return wait;
    }

    /// What take() would return, without taking.
    clock::duration wait(Key const& key, rate const& allowed, clock::time_point now) const
    {
        auto const found = places_.find(key);
        return found == places_.end() ? clock::duration::zero()
                                      : wait_for(found->second->full_at, allowed, now);
    }

private:
    struct bucket
    {
        Key key;
        clock::time_point full_at;
    };

    static clock::duration interval_of(rate const& allowed)
    {
        ensure(allowed.count > 0, "a rate that is counted is not 0");
        return clock::duration{allowed.period} / allowed.count;
    }

    static clock::duration wait_for(
        clock::time_point full_at, rate const& allowed, clock::time_point now
    )
    {
        auto const interval = interval_of(allowed);
        // How long an empty bucket takes to fill.
        auto const filling = interval * (allowed.burst > 0 ? allowed.burst : allowed.count);
        return std::max(std::max(full_at, now) + interval - filling - now, clock::duration::zero());
    }

    /// The bucket of `key`, moved to the front as the most recently used.
    clock::time_point& use(Key const& key)
    {
        auto const found = places_.find(key);
        if (found != places_.end())
        {
            buckets_.splice(buckets_.begin(), buckets_, found->second);
            return found->second->full_at;
        }
        if (places_.size() == keys_max)
        {
            places_.erase(buckets_.back().key);
            buckets_.pop_back();
        }
        buckets_.push_front({key, clock::time_point::min()});
        places_.emplace(key, buckets_.begin());
        return buckets_.front().full_at;
    }

    std::list<bucket> buckets_;  // most recently used first
    std::unordered_map<Key, typename std::list<bucket>::iterator> places_;
};

}  // namespace gapless
