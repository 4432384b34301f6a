#pragma once

#include "app/service_config.hpp"
#include "http/server.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>

#include <memory>

namespace gapless {

/// Throws bad_setting for a certificate without a key, a key without a certificate, and plain HTTP
/// where others than this machine could read it, unless `insecure` is set; then it is logged.
void check_transport(service_config const& config, boost::asio::ip::tcp::endpoint const& address);

/// The certificate and key the settings name; null: none. Blocks as files do. Throws bad_setting
/// with the file and the cause.
std::shared_ptr<tls_context const> read_tls(service_config const& config);

/// From now on each signal of `signals` has certificate and key read again, for connections to
/// come. Files that cannot be used change nothing and are logged as an error; without TLS there is
/// nothing to read, which is logged as well. The arguments outlive the last run of the io_context.
void reload_tls_on(boost::asio::signal_set& signals, service_config const& config, server& door);

}  // namespace gapless
