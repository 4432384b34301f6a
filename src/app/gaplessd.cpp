// gaplessd: the service. Reads its settings, serves until SIGTERM or SIGINT, then lets running
// requests finish. SIGHUP reads the TLS certificate again.

#include "app/listen_address.hpp"
#include "app/service_config.hpp"
#include "app/tls_settings.hpp"
#include "base/contract.hpp"
#include "base/log.hpp"
#include "http/server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <unistd.h>

namespace {

using namespace gapless;
namespace asio = boost::asio;

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;
constexpr unsigned exit_seconds_max = 5;  // for what is under way on the database threads

/// Fills `config` from options, environment and file, or ends the program: --help, --version,
/// --print-config, a bad value. Returns an exit code, or none to go on.
std::optional<int> read_config(int argc, char** argv, service_config& config)
{
    auto settings = settings_of(config);
    CLI::App program{
        "gaplessd: issues parcel numbers over HTTP, gapless and in order.", "gaplessd"};
    program.set_version_flag("--version", GAPLESS_VERSION);
    bool print{};
    program.add_flag(
        "--print-config", print, "print every setting with its value and source, and end"
    );

    std::map<std::string, std::string> texts;
    std::map<std::string, bool> flags;
    for (auto const& known : settings)
    {
        auto const help = known.help + " (" + to_environment(known.name) + ")";
        if (known.flag)
            program.add_flag(
                to_option(known.name) + ",!--no" + to_option(known.name).substr(1),
                flags[known.name],
                help
            );
        else
            program.add_option(to_option(known.name), texts[known.name], help)
                ->type_name("VALUE")
                ->default_str(known.secret ? "" : known.show());
    }
    try
    {
        program.parse(argc, argv);
        for (auto& known : settings)
            if (program.count(to_option(known.name)) > 0)
                apply(
                    known,
                    known.flag ? (flags[known.name] ? "true" : "false") : texts[known.name],
                    setting_source::option
                );
        apply_environment(settings);
        if (!config.config.empty())
            apply_file(settings, config.config);
    }
    catch (CLI::ParseError const& error)
    {
        return program.exit(error) == 0 ? 0 : exit_usage;
    }
    catch (bad_setting const& error)
    {
        std::cerr << "gaplessd: " << error.what() << '\n';
        return exit_usage;
    }
    if (!print)
        return std::nullopt;
    std::cout << show_all(settings);
    return std::cout.flush() ? 0 : exit_failure;
}

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
             {"microseconds", request.duration.count()}}
        );
    };
}

log_level to_log_level(std::string const& name)
{
    if (name == "debug")
        return log_level::debug;
    if (name == "info")
        return log_level::info;
    if (name == "warning")
        return log_level::warning;
    if (name == "error")
        return log_level::error;
    throw bad_setting{"log_level is '" + name + "', allowed are debug, info, warning and error"};
}

/// Serves until told to stop. One I/O thread: this one.
void serve(service_config const& config)
{
    asio::io_context io{1};
    asio::signal_set reloads{io, SIGHUP};
    auto const address = read_listen_address(config.listen);
    check_transport(config, address);
    auto const tls = read_tls(config);
    database_numbering numbering{io, config.numbering};
    server door{io, numbering, config.http, config.access_log ? access_log() : http_log{}};
    if (tls)
        door.use_tls(tls);
    door.listen(address);
    reload_tls_on(reloads, config, door);

    asio::signal_set signals{io, SIGTERM, SIGINT};
    signals.async_wait([&](boost::system::error_code error, int signal) {
        if (error)
            return;
        log_event(log_level::info, "stopping", {{"signal", signal}});
        door.stop(config.stop_time_max, [&] {
            numbering.stop();
            // Behind the last words to those who waited.
            asio::post(io, [&io] { io.stop(); });
        });
    });

    numbering.start();
    log_event(
        log_level::info,
        "listening",
        {{"address", to_text(door.local_endpoint())},
         {"tls", !config.tls_cert.empty()},
         {"version", GAPLESS_VERSION}}
    );
    try
    {
        io.run();
    }
    catch (std::exception const& error)
    {
        // Whatever escaped: taking the service apart would wait for threads, maybe for ever.
        stop_at_once(error);
    }
    log_event(log_level::info, "stopped");
    // A COMMIT that waits for a standby can hold a database thread for ever. Whatever it was, the
    // database has it, and nobody waits for its end.
    std::signal(SIGALRM, [](int) { std::_Exit(0); });
    ::alarm(exit_seconds_max);
}

}  // namespace

int main(int argc, char** argv)
{
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGHUP, SIG_IGN);  // until it can be answered
    service_config config;
    if (auto const code = read_config(argc, argv, config))
        return *code;
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
        // A numbering service that has lost its mind must stop, not issue.
        log_event(log_level::error, "broken_promise", {{"what", error.what()}});
    }
    catch (std::exception const& error)
    {
        log_event(log_level::error, "failed", {{"what", error.what()}});
    }
    return exit_failure;
}
