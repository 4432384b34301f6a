#pragma once

#include "domain/rate_limit.hpp"
#include "http/request_shares.hpp"

#include <boost/asio/ip/address.hpp>

#include <chrono>
#include <cstddef>

namespace gapless {

/// Who presents tokens that are not in force, by address (of IPv6 by the network of 64 bits). With
/// `per_minute_max` of them at once an address has to wait until the next one is due: it may still
/// use good tokens, a bad one is told to wait, and few are looked up at a time. I/O thread only.
class failed_tokens
{
public:
    using clock = std::chrono::steady_clock;

    static constexpr std::size_t look_ups_max = 4;  // under way for an address that has to wait

    /// 0: nobody ever has to wait.
    explicit failed_tokens(std::size_t per_minute_max);

    /// A place to look a token up. Refuses with too_many_requests when the address has to wait and
    /// enough of its tokens are looked up already.
    result<request_shares::place> begin_look_up(
        boost::asio::ip::address const& from, clock::time_point now
    );

    struct failure
    {
        clock::duration wait{};  // before the next bad token; 0: none
        bool to_log{};           // the address has to wait, as was not told for a minute
    };

    /// Counts a token that failed.
    failure note(boost::asio::ip::address const& from, clock::time_point now);

    /// What a client that has to wait is told.
    static refusal too_many(clock::duration wait);

private:
    rate allowed_;  // count 0: no limit
    rate_limit<boost::asio::ip::address> failures_;
    rate_limit<boost::asio::ip::address> log_lines_;
    request_shares look_ups_{look_ups_max, 0};
};

}  // namespace gapless
