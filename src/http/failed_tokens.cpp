#include "http/failed_tokens.hpp"

#include <algorithm>

namespace gapless {

namespace ip = boost::asio::ip;

/// An IPv6 client has a network of its own to choose addresses from.
ip::address failed_tokens::network_of(ip::address const& from)
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

bool failed_tokens::note(ip::address const& from, clock::time_point now)
{
    if (per_minute_max_ == 0)
        return false;
    auto const network = network_of(from);
    if (seen_.size() >= addresses_max && !seen_.contains(network))
        make_room(now);
    auto& mine = seen_[network];
    if (mine.count == 0 || now - mine.since >= window)
        mine = {now, 0};
    ++mine.count;
    return mine.count == per_minute_max_;
}

failed_tokens::clock::duration failed_tokens::blocked_for(
    ip::address const& from, clock::time_point now
) const
{
    if (seen_.empty())
        return clock::duration::zero();
    auto const found = seen_.find(network_of(from));
    if (found == seen_.end() || found->second.count < per_minute_max_)
        return clock::duration::zero();
    return std::max<clock::duration>(found->second.since + window - now, clock::duration::zero());
}

bool failed_tokens::begin_look_up(ip::address const& from)
{
    auto& under_way = looking_up_[network_of(from)];
    if (under_way >= look_ups_max)
        return false;
    ++under_way;
    return true;
}

void failed_tokens::end_look_up(ip::address const& from)
{
    auto const found = looking_up_.find(network_of(from));
    if (found != looking_up_.end() && --found->second == 0)
        looking_up_.erase(found);
}

void failed_tokens::make_room(clock::time_point now)
{
    std::erase_if(seen_, [now](auto const& each) { return now - each.second.since >= window; });
    if (seen_.size() >= addresses_max)
        seen_.clear();  // everybody begins anew; better than memory without bound
}

}  // namespace gapless
