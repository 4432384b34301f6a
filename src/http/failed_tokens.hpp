#pragma once

#include <boost/asio/ip/address.hpp>

#include <chrono>
#include <cstddef>
#include <map>

namespace gapless {

/// Who presents tokens that are not in force, by address (of IPv6 by the network of 64 bits). With
/// `per_minute_max` of them within a minute an address is blocked until the minute is over: it may
/// still use good tokens, a bad one is told to wait, and few are looked up at a time. I/O thread
/// only.
class failed_tokens
{
public:
    using clock = std::chrono::steady_clock;

    static constexpr std::size_t addresses_max = 10'000;
    static constexpr int look_ups_max = 4;  // under way for a blocked address
    static constexpr std::chrono::seconds window{60};

    /// 0: nobody is ever blocked.
    explicit failed_tokens(std::size_t per_minute_max) : per_minute_max_{per_minute_max} {}

    /// Notes a token that failed. True when the address is blocked from now on.
    bool note(boost::asio::ip::address const& from, clock::time_point now);

    /// How long the address is blocked; 0: it is not.
    clock::duration blocked_for(boost::asio::ip::address const& from, clock::time_point now) const;

    /// Asks to look a token of a blocked address up; false: too many are looked up already. What
    /// was begun has to be ended.
    bool begin_look_up(boost::asio::ip::address const& from);
    void end_look_up(boost::asio::ip::address const& from);

    std::size_t addresses() const noexcept { return seen_.size(); }

private:
    struct failures
    {
        clock::time_point since;
        std::size_t count{};
    };

    static boost::asio::ip::address network_of(boost::asio::ip::address const& from);
    void make_room(clock::time_point now);

    std::size_t per_minute_max_;
    std::map<boost::asio::ip::address, failures> seen_;
    std::map<boost::asio::ip::address, int> looking_up_;  // of blocked addresses, while it lasts
};

}  // namespace gapless
