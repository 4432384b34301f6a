#include "app/service_config.hpp"

#include "app/http_settings.hpp"
#include "app/listen_address.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace gapless {

namespace {

using namespace std::chrono_literals;

/// The folder given by systemd, else the user's own for state; empty if there is neither.
std::string usual_journal()
{
    if (auto const* given = std::getenv("STATE_DIRECTORY"); given != nullptr && *given != '\0')
    {
        std::string const folders{given};  // systemd separates several by colons
        return folders.substr(0, folders.find(':')) + "/journal";
    }
    if (auto const* home = std::getenv("HOME"); home != nullptr && *home != '\0')
        return std::string{home} + "/.local/state/gapless/journal";
    return {};
}

/// A text that is refused where it is read, so that --print-config tells it, too: `check` throws
/// std::invalid_argument.
setting make_checked_setting(
    std::string name, std::string help, std::string& place, void (*check)(std::string_view)
)
{
    auto made = make_setting(std::move(name), std::move(help), place);
    made.read = [&place, check](std::string_view text) {
        check(text);
        place = text;
    };
    return made;
}

std::vector<setting> process_settings(service_config& c)
{
    return {
        make_checked_setting(
            "listen",
            "address and port to listen on; port 0 takes a free one",
            c.listen,
            [](std::string_view text) { read_listen_address(text); }
        ),
        make_setting(
            "database_url", "libpq URL; empty: libpq's own PG* variables", c.service.database_url
        ),
        make_setting("config", "TOML file to read settings from", c.config),
        make_setting(
            "tls_cert",
            "PEM file with the certificate, its issuers' behind it; read again at SIGHUP",
            c.tls_cert
        ),
        make_setting("tls_key", "PEM file with its private key, not for others to read", c.tls_key),
        make_setting("insecure", "allow plain HTTP on an address other than loopback", c.insecure),
        make_setting("access_log", "log each request", c.access_log),
        make_checked_setting(
            "log_level",
            "debug, info, warning or error",
            c.log_level,
            [](std::string_view text) { to_log_level(text); }
        ),
        make_setting(
            "drain_time_max",
            "time for one more request of each idle connection when told to stop",
            c.drain_time_max,
            0s,
            10min
        ),
        make_setting(
            "stop_time_max",
            "time for running requests when told to stop",
            c.stop_time_max,
            0s,
            10min
        ),
    };
}

std::vector<setting> database_settings(service_settings& n)
{
    return {
        make_setting(
            "journal",
            "folder where it notes what it answered, to tell a database that was put back; empty: "
            "none",
            n.journal
        ),
        make_setting(
            "lease_time",
            "how long after its last contact with the database an instance may draw on a reserve",
            n.lease_time,
            5s,
            std::chrono::days{7}
        ),
        make_setting(
            "reserve_keys_max",
            "keys this process has answered that it remembers, so that none gets other numbers in "
            "an outage, and as many that are in doubt; about 150 bytes each",
            n.reserve_keys_max,
            1'000,
            10'000'000
        ),
        make_setting(
            "seal_interval",
            "how often new records are sealed in their hash chains; 0s: never",
            n.sweep.seal_interval,
            0s,
            1h
        ),
        make_setting(
            "answer_life",
            "how long answers to other requests than issuing are kept for their keys; then such a "
            "key is a new one",
            n.sweep.answer_life,
            1h,
            std::chrono::days{3650}
        ),
        make_setting(
            "environment",
            "environment the database has to belong to, as 'gapless database environment' says; "
            "empty: any",
            n.environment
        ),
        make_setting(
            "accept_risk",
            "issue although the server runs with fsync or full_page_writes off: a crash can lose "
            "issued numbers, and they are issued again",
            n.accept_risk
        ),
    };
}

/// "all", "off", or a number.
setting metrics_series_setting(std::size_t& place)
{
    auto made = make_setting(
        "metrics_series",
        "series with lines of their own in /metrics: all, off, or so many, those that issued most; "
        "those that need a look always have theirs",
        place,
        0,
        1'000'000
    );
    made.read = [&place, read_number = made.read](std::string_view text) {
        try
        {
            if (text == "all")
                place = all_series_lines;
            else
                read_number(text == "off" ? "0" : text);
        }
        catch (std::invalid_argument const& error)
        {
            throw std::invalid_argument{std::string{error.what()} + ", all or off"};
        }
    };
    made.show = [&place, show_number = made.show] {
        return place == all_series_lines ? std::string{"all"}
               : place == 0              ? std::string{"off"}
                                         : show_number();
    };
    return made;
}

std::vector<setting> notice_settings(service_settings& n)
{
    return {
        metrics_series_setting(n.metrics_series),
        make_setting(
            "notice_waiters_max",
            "requests that wait for notices at the same time; beyond: 503 overloaded",
            n.notice_waiters_max,
            0,
            10'000
        ),
        make_setting(
            "webhook_networks",
            "networks in which webhooks deliver to private addresses and by http, such as "
            "10.0.0.0/8,fd00::/8; empty: none",
            n.webhook_networks
        ),
    };
}

std::vector<setting> thread_settings(service_settings& n)
{
    return {
        make_setting(
            "database_threads", "connections for everything but issuing", n.threads.threads, 1, 64
        ),
        make_setting(
            "database_waiting_max",
            "requests that may wait for one of them",
            n.threads.waiting_max,
            1,
            100'000
        ),
        make_setting(
            "database_time_max",
            "how long they may wait for one; beyond: 503 overloaded",
            n.threads.wait_max,
            1ms,
            10min
        ),
        make_setting(
            "database_read_time_max",
            "how long one of them may take to read; beyond: 503 database-unavailable",
            n.threads.read_time_max,
            100ms,
            10min
        ),
        make_setting(
            "database_write_time_max",
            "the same where something is changed; beyond: 503 outcome-unknown",
            n.threads.write_time_max,
            100ms,
            10min
        ),
        make_setting(
            "block_file_time_max",
            "the same where a file of blocks is loaded; 'gapless block load' has no such limit",
            n.threads.load_time_max,
            1s,
            1h
        ),
        make_setting(
            "verify_time_max",
            "how long a verification may take; beyond: 503, use 'gapless verify'",
            n.threads.proof_time_max,
            1s,
            24h
        ),
        make_setting(
            "reconcile_time_max",
            "how long comparing an invoice may take; beyond: 503, use 'gapless reconcile'",
            n.threads.comparison_time_max,
            1s,
            1h
        ),
    };
}

std::vector<setting> token_settings(service_settings& n)
{
    return {
        make_setting(
            "token_life",
            "how long a token is believed without asking the database",
            n.token_life,
            100ms,
            5s
        ),
        make_setting(
            "token_rate",
            "requests a second of a token, at each instance; beyond: 429; 0: no limit",
            n.limits.rate,
            0,
            rate_max
        ),
        make_setting(
            "token_burst",
            "requests of a token at once, if it has a rate; 0: those of one second",
            n.limits.burst,
            0,
            rate_max
        ),
        make_setting(
            "token_daily_quota",
            "numbers a day of a token, at all instances; beyond: 429; 0: no limit",
            n.limits.daily_quota,
            0,
            daily_quota_max
        ),
    };
}

std::vector<setting> queue_settings(service_settings& n)
{
    return {
        make_setting(
            "queue_requests_max",
            "issue requests that may wait; beyond: 503 overloaded",
            n.queue.requests_max,
            1,
            1'000'000
        ),
        make_setting(
            "queue_time_max",
            "foreseen wait beyond which an issue request is refused at once: 503 overloaded",
            n.queue.queue_time_max,
            1ms,
            10min
        ),
        make_setting(
            "batch_requests_max",
            "issue requests in one transaction",
            n.queue.batch_requests_max,
            1,
            1'024
        ),
        make_setting(
            "batches_in_flight_max",
            "transactions sent before the first has answered",
            n.queue.batches_in_flight_max,
            1,
            8
        ),
        make_setting(
            "issue_time_max",
            "from an issue request to its answer",
            n.queue.issue_time_max,
            100ms,
            10min
        ),
        make_setting(
            "unavailable_time_max",
            "how long an issue request waits while there is no database",
            n.queue.unavailable_time_max,
            0s,
            10min
        ),
    };
}

}  // namespace

log_level to_log_level(std::string_view name)
{
    if (name == "debug")
        return log_level::debug;
    if (name == "info")
        return log_level::info;
    if (name == "warning")
        return log_level::warning;
    if (name == "error")
        return log_level::error;
    throw std::invalid_argument{"allowed: debug, info, warning or error"};
}

service_config::service_config()
{
    service.journal = usual_journal();
}

std::vector<setting> settings_of(service_config& config)
{
    auto all = process_settings(config);
    for (auto part :
         {database_settings(config.service),
          thread_settings(config.service),
          token_settings(config.service),
          queue_settings(config.service),
          notice_settings(config.service),
          http_settings(config.http)})
        std::ranges::move(part, std::back_inserter(all));
    auto const url = std::ranges::find(all, "database_url", &setting::name);
    url->secret = true;
    return all;
}

}  // namespace gapless
