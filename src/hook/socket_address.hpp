#pragma once

#include "domain/ip_address.hpp"

#include <algorithm>
#include <array>
#include <netinet/in.h>
#include <optional>
#include <sys/socket.h>

namespace gapless {

/// The address in what the system connects to; none: it is of another family. As many bytes lie
/// there as the family says.
inline std::optional<ip_address> read_socket_address(sockaddr const* address) noexcept
{
    if (address->sa_family == AF_INET)
    {
        auto const* const four = reinterpret_cast<sockaddr_in const*>(address);
        auto const* const first = reinterpret_cast<unsigned char const*>(&four->sin_addr);
        std::array<unsigned char, 4> bytes{};
        std::copy_n(first, bytes.size(), bytes.begin());
        return to_ip_address(bytes);
    }
    if (address->sa_family == AF_INET6)
    {
        auto const* const six = reinterpret_cast<sockaddr_in6 const*>(address);
        std::array<unsigned char, 16> bytes{};
        std::copy_n(six->sin6_addr.s6_addr, bytes.size(), bytes.begin());
        return to_ip_address(bytes);
    }
    return std::nullopt;
}

}  // namespace gapless
