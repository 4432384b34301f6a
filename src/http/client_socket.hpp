#pragma once

#include <boost/asio/ip/tcp.hpp>

// Every file that includes this is listed in gapless_failpoints(), which defines it as 0 or 1.
#ifndef GAPLESS_FAILPOINTS
#error "list this file in gapless_failpoints() of its CMakeLists.txt"
#endif

#if GAPLESS_FAILPOINTS
#include "http/failing_socket.hpp"
#endif

namespace gapless {

/// The socket of a client.
#if GAPLESS_FAILPOINTS
using client_socket = failing_socket;
#else
using client_socket = boost::asio::ip::tcp::socket;
#endif

}  // namespace gapless
