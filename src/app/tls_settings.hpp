#pragma once

#include "app/inherited_sockets.hpp"
#include "app/service_config.hpp"
#include "http/server.hpp"

#include <memory>
#include <vector>

namespace gapless {

/// Throws bad_setting for a certificate without a key, a key without a certificate, and plain HTTP
/// where others than this machine could read it, unless `insecure` is set; then it is logged.
/// Where: the sockets that were handed over, else the configured address.
void check_transport(
    service_config const& config, std::vector<inherited_socket> const& handed_over
);

/// The certificate and key the settings name; null: none. Blocks as files do. Throws bad_setting
/// with the file and the cause.
std::shared_ptr<tls_context const> read_tls(service_config const& config);

/// Has certificate and key read again, for connections to come: two small files, on the I/O thread.
/// Files that cannot be used change nothing and are logged as an error; without TLS there is
/// nothing to read, which is logged as well.
void reload_tls(service_config const& config, server& door);

}  // namespace gapless
