#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <string>
#include <string_view>

namespace gapless {

/// Reads an address to listen on: 127.0.0.1:8080, [::1]:8080, localhost:8080, :8080 (every
/// address). Port 0 stands for any free one. Names other than localhost are not looked up. Throws
/// std::invalid_argument with what is allowed.
boost::asio::ip::tcp::endpoint read_listen_address(std::string_view text);

/// Whether the address is reachable from this machine only.
bool is_loopback(boost::asio::ip::tcp::endpoint const& address);

/// The text of an address, in the format of read_listen_address.
std::string to_text(boost::asio::ip::tcp::endpoint const& address);

}  // namespace gapless
