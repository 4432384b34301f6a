#include "domain/number_on_lease.hpp"

namespace gapless {

std::optional<lease_place> find_lease(number_record const& number)
{
    if (number.state != "held" || number.history.empty() || number.history.back().kind != "leased")
        return std::nullopt;
    auto const& leased = number.history.back();
    constexpr std::string_view before_host{" at "};  // "lease:<instance> at <host>"
    auto const at = leased.actor.find(before_host);
    if (at == std::string::npos)
        return lease_place{leased.actor, leased.at};
    return lease_place{leased.actor.substr(at + before_host.size()), leased.at};
}

}  // namespace gapless
