#include "app/listen_address.hpp"

#include "base/text.hpp"

#include <boost/asio/ip/address.hpp>

#include <stdexcept>

namespace gapless {

namespace ip = boost::asio::ip;

ip::tcp::endpoint read_listen_address(std::string_view text)
{
    auto const bad = [] {
        return std::invalid_argument{"allowed: address:port, such as 127.0.0.1:8080 or [::1]:8080"};
    };
    auto const colon = text.rfind(':');
    if (colon == std::string_view::npos)
        throw bad();
    auto host = text.substr(0, colon);
    auto const port_text = text.substr(colon + 1);

    auto const port = read_decimal<ip::port_type>(port_text);
    if (!port)
        throw bad();
    if (host.starts_with('[') && host.ends_with(']') && host.size() > 2)
        host = host.substr(1, host.size() - 2);
    else if (host.find(':') != std::string_view::npos)
        throw bad();
    if (host.empty())
        host = "0.0.0.0";
    if (host == "localhost")
        host = "127.0.0.1";

    boost::system::error_code failed;
    auto const address = ip::make_address(std::string{host}, failed);
    if (failed)
        throw bad();
    return {address, *port};
}

bool is_loopback(ip::tcp::endpoint const& address)
{
    auto const host = address.address();
    if (host.is_v6() && host.to_v6().is_v4_mapped())
        return ip::make_address_v4(ip::v4_mapped, host.to_v6()).is_loopback();
    return host.is_loopback();
}

std::string to_text(ip::tcp::endpoint const& address)
{
    auto const host = address.address().to_string();
    auto const port = std::to_string(address.port());
    return address.address().is_v6() ? "[" + host + "]:" + port : host + ":" + port;
}

}  // namespace gapless
