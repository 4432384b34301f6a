#pragma once

#include "base/rate_limit.hpp"
#include "http/concurrency_limit.hpp"

#include <boost/asio/ip/address.hpp>

#include <chrono>
#include <cstddef>

namespace gapless {

/// Limits how many invalid tokens an address presents (IPv6: a /64 network): `per_minute_max` at
/// once, and as many a minute. Beyond, invalid ones are told to wait, and few tokens of the address
/// are looked up at a time; valid ones still pass. I/O thread only.
class auth_throttle
{
public:
    using clock = std::chrono::steady_clock;

    static constexpr std::size_t look_ups_max = 4;  // at a time, for an address that has to wait

    /// 0: no limit.
    explicit auth_throttle(std::size_t per_minute_max);

    /// Takes a place to look a token up. Refuses with too_many_requests if the address has to wait
    /// and enough of its tokens are being looked up already.
    result<concurrency_limit::place> begin_look_up(
        boost::asio::ip::address const& from, clock::time_point now
    );

    struct failure
    {
        clock::duration wait{};  // before the next invalid token; 0: none
        bool to_log{};           // it has to wait, and this was not logged for a minute
    };

    /// Counts an invalid token.
    failure note(boost::asio::ip::address const& from, clock::time_point now);

    /// The answer to a client that has to wait.
    static refusal too_many(clock::duration wait);

private:
    rate allowed_;  // count 0: no limit
    rate_limit<boost::asio::ip::address> failures_;
    rate_limit<boost::asio::ip::address> log_lines_;
    concurrency_limit look_ups_{look_ups_max, 0};
};

}  // namespace gapless
