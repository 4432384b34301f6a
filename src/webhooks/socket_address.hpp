#pragma once

#include "base/ip_address.hpp"

#include <boost/asio/ip/address.hpp>

#include <array>
#include <netinet/in.h>
#include <optional>
#include <sys/socket.h>

namespace gapless {

/// The address in a socket address; nullopt: of another family. `address` must have as many bytes
/// as its family needs.
inline std::optional<ip_address> read_socket_address(sockaddr const* address) noexcept
{
    if (address->sa_family == AF_INET)
    {
        auto const* const four = reinterpret_cast<sockaddr_in const*>(address);
        return to_ip_address(boost::asio::ip::address_v4{ntohl(four->sin_addr.s_addr)});
    }
    if (address->sa_family == AF_INET6)
    {
        auto const* const six = reinterpret_cast<sockaddr_in6 const*>(address);
        return ip_address{std::to_array(six->sin6_addr.s6_addr)};
    }
    return std::nullopt;
}

}  // namespace gapless
