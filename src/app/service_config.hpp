#pragma once

#include "app/database_service.hpp"
#include "app/settings.hpp"
#include "base/log.hpp"
#include "http/limits.hpp"

#include <string>
#include <vector>

namespace gapless {

/// All settings of gaplessd, with their defaults.
struct service_config
{
    service_config();

    std::string listen{
        "127.0.0.1:8080"};  // address:port; [::1]:8080 for IPv6; port 0: any free one
    std::string config;     // TOML file; empty: none
    std::string tls_cert;   // PEM files; both empty: plain HTTP
    std::string tls_key;
    bool insecure{};  // plain HTTP beyond loopback is intended
    bool access_log{};
    std::string log_level{"info"};
    std::chrono::milliseconds drain_time_max{1'000};  // for idle connections, on SIGTERM
    std::chrono::milliseconds stop_time_max{10'000};  // for everything, on SIGTERM
    service_settings service;
    http_limits http;
};

/// Throws std::invalid_argument with the names there are.
log_level to_log_level(std::string_view name);

/// The settings of gaplessd, bound to `config`, which must outlive them.
std::vector<setting> settings_of(service_config& config);

}  // namespace gapless
