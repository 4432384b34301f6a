// gaplessd: the service. Reads its settings, serves until SIGTERM or SIGINT, then answers requests
// under way. SIGHUP reloads the TLS certificate, and tries a new database session.

#include "app/inherited_sockets.hpp"
#include "app/listen_address.hpp"
#include "app/readiness_check.hpp"
#include "app/routes.hpp"
#include "app/service_command_line.hpp"
#include "app/service_manager.hpp"
#include "app/tls_settings.hpp"
#include "base/contract.hpp"
#include "base/log.hpp"
#include "base/process_start.hpp"
#include "http/server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using namespace gapless;
namespace asio = boost::asio;

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;
constexpr unsigned exit_seconds_max = 5;  // for work on the database threads

http_log access_log()
{
    return [](request_record const& request) {
        log_event(
            log_level::info,
            "request",
            {{"request_id", request.request_id},
             {"method", request.method},
             {"route", request.pattern},
             {"status", request.status},
             {"microseconds", request.duration.count()},
             {"traceparent", request.traceparent},
             {"token", request.token},
             {"series", request.series},
             {"problem", request.problem}}
        );
    };
}

using inherited_sockets = std::vector<inherited_socket>;

/// Listens on the sockets that were handed over, else on the configured address; returns where.
std::vector<std::string> open(
    server& door, service_config const& config, inherited_sockets const& handed_over
)
{
    if (handed_over.empty())
    {
        door.listen(read_listen_address(config.listen));
        return {to_text(door.local_endpoint())};
    }
    std::vector<std::string> addresses;
    for (auto const& each : handed_over)
    {
        door.listen_on(each.descriptor);
        addresses.push_back(each.address);
    }
    log_event(
        log_level::info,
        "sockets_inherited",
        {{"sockets", addresses.size()}, {"ignored", "listen = " + config.listen}}
    );
    return addresses;
}

void log_listening(std::string const& address, service_config const& config)
{
    log_event(
        log_level::info,
        "listening",
        {{"address", address}, {"tls", !config.tls_cert.empty()}, {"version", GAPLESS_VERSION}}
    );
}

/// On each of these signals, reloads certificate and key, and tries a new session, so that after a
/// change of the password the log tells whether it works.
void reload_on(
    asio::signal_set& signals,
    service_config const& config,
    server& door,
    database_service& service,
    service_manager& manager,
    std::string const& status
)
{
    signals.async_wait([&](boost::system::error_code const& cancelled, int) {
        if (cancelled)
            return;
        manager.reloading();
        reload_tls(config, door);
        service.try_new_session();
        manager.ready(status);
        reload_on(signals, config, door, service, manager, status);
    });
}

/// Serves until told to stop. One I/O thread: the calling one.
void serve(service_config const& config)
{
    asio::io_context io{1};
    asio::signal_set reloads{io, SIGHUP};
    service_manager manager{io};
    auto const handed_over = take_inherited_sockets();
    check_transport(config, handed_over);
    auto const tls = read_tls(config);
    database_service service{io, config.service};
    server door{
        io,
        service.offered(),
        routes(),
        config.http,
        config.access_log ? access_log() : http_log{}};
    if (tls)
        door.use_tls(tls);
    auto const addresses = open(door, config, handed_over);
    auto const status = fmt::format("serves at {}", fmt::join(addresses, ", "));
    reload_on(reloads, config, door, service, manager, status);

    asio::signal_set signals{io, SIGTERM, SIGINT};
    signals.async_wait([&](boost::system::error_code error, int signal) {
        if (error)
            return;
        log_event(log_level::info, "stopping", {{"signal", signal}});
        manager.stopping("answers what is under way");
        door.stop({.drain = config.drain_time_max, .grace = config.stop_time_max}, [&] {
            service.stop();
            // After the last answers to waiting clients.
            asio::post(io, [&io] { io.stop(); });
        });
    });

    service.start();
    for (auto const& address : addresses)
        log_listening(address, config);
    // After the acceptors' first turn: clients that connect from then on are answered.
    asio::post(io, [&] { manager.ready(status); });
    try
    {
        io.run();
    }
    catch (std::exception const& error)
    {
        // For any exception: destroying the service would wait for threads, maybe for ever.
        stop_at_once(error);
    }
    log_event(log_level::info, "stopped");
    // A COMMIT that waits for a standby can block a database thread for ever. The database has
    // whatever it was, and no client waits for its end.
    std::signal(SIGALRM, [](int) { std::_Exit(0); });
    ::alarm(exit_seconds_max);
}

}  // namespace

int main(int argc, char** argv)
{
    gapless::begin_process();
    std::signal(SIGHUP, SIG_IGN);  // until it can be answered
    service_config config;
    auto const started_for = read_command_line(argc, argv, config);
    if (started_for.exit_code)
        return *started_for.exit_code;
    if (started_for.check)
        return check_readiness(config, *started_for.check);
    try
    {
        set_log_level(to_log_level(config.log_level));
        serve(config);
        return 0;
    }
    catch (bad_setting const& error)
    {
        std::cerr << "gaplessd: " << error.what() << '\n';
        return exit_usage;
    }
    catch (boost::system::system_error const& error)
    {
        log_event(
            log_level::error,
            "cannot_listen",
            {{"address", config.listen}, {"what", error.code().message()}}
        );
        std::cerr << "gaplessd: cannot listen on " << config.listen << ": "
                  << error.code().message()
                  << " (choose another address with --listen or GAPLESS_LISTEN)\n";
    }
    catch (contract_violation const& error)
    {
        // A numbering service that breaks its promise must stop, not issue.
        log_event(log_level::error, "broken_promise", {{"what", error.what()}});
    }
    catch (std::exception const& error)
    {
        log_event(log_level::error, "failed", {{"what", error.what()}});
    }
    return exit_failure;
}
