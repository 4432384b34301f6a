#include "app/tls_settings.hpp"

#include "app/listen_address.hpp"
#include "base/log.hpp"

namespace gapless {

namespace {

constexpr std::chrono::hours expires_soon{14 * 24};

/// Warns of what an operator should know about an otherwise good certificate.
void warn_about(service_config const& config, tls_context const& context)
{
    if (context.group_reads_key())
        log_event(log_level::warning, "tls_key_readable", {{"file", config.tls_key}});
    auto const left = context.expires() - std::chrono::system_clock::now();
    if (left < expires_soon)
        log_event(
            log_level::warning,
            "tls_certificate_expires",
            {{"file", config.tls_cert},
             {"hours_left", std::chrono::floor<std::chrono::hours>(left).count()}}
        );
}

/// Refuses plain HTTP where others could read it. `told`: names the address in messages.
void check_plain(service_config const& config, std::string const& address, std::string const& told)
{
    if (!config.insecure)
        throw bad_setting{
            told +
            " would send tokens and numbers over the network in the clear. Give it --tls-cert and "
            "--tls-key, or listen on loopback (127.0.0.1" +
            address.substr(address.rfind(':')) +
            ") behind a proxy that speaks TLS, or say --insecure (GAPLESS_INSECURE=true) if that "
            "is what you want"};
    log_event(log_level::warning, "insecure", {{"address", address}});
}

}  // namespace

void check_transport(service_config const& config, std::vector<inherited_socket> const& handed_over)
{
    if (config.tls_cert.empty() != config.tls_key.empty())
    {
        auto const missing = config.tls_cert.empty() ? "tls_cert" : "tls_key";
        throw bad_setting{
            std::string{config.tls_cert.empty() ? "tls_key" : "tls_cert"} + " needs " + missing +
            " (" + to_option(missing) + " or " + to_environment(missing) +
            "): certificate and key go together"};
    }
    if (!config.tls_cert.empty())
        return;
    for (auto const& each : handed_over)
        if (!each.local)
            check_plain(config, each.address, "the socket " + each.address + " of LISTEN_FDS");
    if (!handed_over.empty())
        return;
    auto const address = read_listen_address(config.listen);
    if (!is_loopback(address))
        check_plain(config, to_text(address), "listen = '" + config.listen + "'");
}

std::shared_ptr<tls_context const> read_tls(service_config const& config)
{
    if (config.tls_cert.empty())
        return nullptr;
    try
    {
        auto context = std::make_shared<tls_context>(config.tls_cert, config.tls_key);
        warn_about(config, *context);
        return context;
    }
    catch (bad_certificate const& error)
    {
        throw bad_setting{error.what()};
    }
}

void reload_tls(service_config const& config, server& door)
{
    if (config.tls_cert.empty())
        return log_event(
            log_level::info, "nothing_to_reload", {{"why", "tls_cert and tls_key are not set"}}
        );
    try
    {
        door.use_tls(read_tls(config));
        log_event(log_level::info, "tls_reloaded", {{"file", config.tls_cert}});
    }
    catch (std::exception const& error)
    {
        log_event(log_level::error, "tls_reload_failed", {{"what", error.what()}});
    }
}

}  // namespace gapless
