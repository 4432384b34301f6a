#pragma once

#include "access/quota_store.hpp"
#include "access/token_text.hpp"
#include "issuing/issuance.hpp"
#include "postgres/database_threads.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>

namespace gapless {

/// The daily quotas of the tokens that this instance serves. It sets slices of a day's quota aside
/// in the database and spends them from memory, so that most requests need no query, and all
/// instances together never exceed the quota. If an instance dies, the rest of its slice is lost to
/// the token for the day. Lives on the I/O thread.
class quota_cache
{
public:
    using clock = std::chrono::steady_clock;

    /// The references must outlive it. `now` is for tests.
    quota_cache(
        boost::asio::io_context& io,
        database_threads& threads,
        std::function<clock::time_point()> now = clock::now
    )
        : io_{io},
          threads_{threads},
          now_{std::move(now)}
    {
    }

    /// Takes the numbers of a request from its token's quota. If the quota is used up, a spent key
    /// passes with a share of 0: it gets its numbers again. Refuses with too_many_requests,
    /// overloaded, database_unavailable, never with outcome_unknown.
    boost::asio::awaitable<result<quota_share>> take(
        std::shared_ptr<principal const> who, issue_request request
    );

    /// Like take(), from the slice at hand, since the database cannot be asked. Refuses with
    /// database_unavailable.
    result<quota_share> take_at_hand(principal const& who, std::int64_t count);

    /// Returns an unused share: nothing was issued, or it was a replay.
    void give_back(quota_share const& share);

    /// Returns slices that nobody has used for idle_max. Call it regularly.
    void return_idle();

    /// Returns all slices at shutdown, without waiting for it.
    void return_all();

private:
    static constexpr std::chrono::seconds idle_max{60};
    static constexpr std::chrono::seconds refused_for{2};  // until the database is asked again
    static constexpr int look_ups_max{4};  // of keys, per token whose quota is used up
    static constexpr std::chrono::seconds retry_max{3'600};

    struct slice
    {
        std::int32_t day{};
        std::int64_t left{};
        std::int64_t reserved{};  // of the day's quota, as last reported
        clock::time_point ends;   // end of the day
        clock::time_point used;   // when last used
        std::int64_t refused{};   // this count was refused; 0: none
        clock::time_point refused_until;
        int look_ups{};
        std::shared_ptr<boost::asio::steady_timer> reserving;  // runs while the database is asked
    };

    boost::asio::awaitable<result<void>> reserve(
        std::int32_t token_id, std::int64_t quota, std::int64_t count
    );
    boost::asio::awaitable<result<quota_share>> pass_replay(
        principal const& who, issue_request const& request
    );
    refusal used_up(slice const& seen, token_limits const& limits, std::int64_t count) const;
    std::shared_ptr<slice> slice_of(std::int32_t token_id);

    boost::asio::io_context& io_;
    database_threads& threads_;
    std::function<clock::time_point()> now_;

    // One per token whose quota was used. Shared with requests that wait for the database, because
    // at shutdown the cache may be destroyed before them.
    std::unordered_map<std::int32_t, std::shared_ptr<slice>> slices_;
};

}  // namespace gapless
