#include "hook/find_addresses.hpp"

#include "hook/socket_address.hpp"

#include <algorithm>
#include <memory>
#include <netdb.h>

namespace gapless {

std::vector<ip_address> find_addresses(std::string const& host)
{
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    if (::getaddrinfo(host.c_str(), nullptr, &hints, &list) != 0)
        return {};
    std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> const kept{list, ::freeaddrinfo};
    std::vector<ip_address> found;
    for (auto const* each = list; each != nullptr; each = each->ai_next)
        if (auto const address = read_socket_address(each->ai_addr);
            address && std::ranges::find(found, *address) == found.end())
            found.push_back(*address);
    return found;
}

}  // namespace gapless
