#include "http/auth_throttle.hpp"

#include <algorithm>

namespace gapless {

namespace ip = boost::asio::ip;

namespace {

constexpr rate log_lines_allowed{.count = 1, .period = std::chrono::minutes{1}};

/// An IPv6 client has a whole /64 network of addresses to choose from.
ip::address network_of(ip::address const& from)
{
    if (!from.is_v6())
        return from;
    auto const whole = from.to_v6();
    if (whole.is_v4_mapped())
        return ip::make_address_v4(ip::v4_mapped, whole);
    auto bytes = whole.to_bytes();
    std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
    return ip::address_v6{bytes};
}

}  // namespace

auth_throttle::auth_throttle(std::size_t per_minute_max)
    : allowed_{
          .count = static_cast<std::int64_t>(per_minute_max), .period = std::chrono::minutes{1}}
{
}

result<concurrency_limit::place> auth_throttle::begin_look_up(
    ip::address const& from, clock::time_point now
)
{
    auto const network = network_of(from);
    auto const wait = failures_.wait(network, allowed_, now);
    if (wait == wait.zero())
        return concurrency_limit::place{};
    auto place = look_ups_.take(network.to_string());
    if (place.has_error())
        return too_many(wait);
    return place;
}

auth_throttle::failure auth_throttle::note(ip::address const& from, clock::time_point now)
{
    if (allowed_.count == 0)
        return {};
    auto const network = network_of(from);
    auto const wait = failures_.take(network, allowed_, now);
    if (wait == wait.zero())
        return {};
    auto const to_log = log_lines_.take(network, log_lines_allowed, now) == wait.zero();
    return {wait, to_log};
}

refusal auth_throttle::too_many(clock::duration wait)
{
    return {
        refusal_kind::too_many_requests,
        "Too many invalid tokens came from this address. Valid tokens keep working; check this one "
        "before you try it again.",
        std::chrono::ceil<std::chrono::seconds>(wait)};
}

}  // namespace gapless
