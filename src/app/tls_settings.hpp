#pragma once

#include "app/inherited_sockets.hpp"
#include "app/service_config.hpp"
#include "http/server.hpp"

#include <memory>
#include <vector>

namespace gapless {

/// Throws bad_setting for a certificate without a key, a key without a certificate, and plain HTTP
/// that others than this machine could read, unless `insecure` is set; then it logs that. Applies
/// to the sockets that were handed over, else to the configured address.
void check_transport(
    service_config const& config, std::vector<inherited_socket> const& handed_over
);

/// The certificate and key of the settings; null: none. Blocks on the files. Throws bad_setting
/// with the file and the cause.
std::shared_ptr<tls_context const> read_tls(service_config const& config);

/// Reloads certificate and key for new connections: two small files, on the I/O thread. Unusable
/// files change nothing and are logged as an error; without TLS there is nothing to read, which is
/// logged, too.
void reload_tls(service_config const& config, server& door);

}  // namespace gapless
