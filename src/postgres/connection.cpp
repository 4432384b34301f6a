#include "postgres/connection.hpp"

#include "base/ip_address.hpp"
#include "base/text.hpp"
#include "postgres/query.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <libpq-fe.h>
#include <ranges>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace gapless {

std::string to_public_text(std::string text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    if (text.find("unsupported startup parameter") != std::string::npos)
        text += "; a connection pooler refuses it: name it in ignore_startup_parameters there, or "
                "remove it from the URL";
    return text;
}

std::string to_told_text(std::string_view text)
{
    constexpr std::string_view begins{"connection to server "};
    constexpr std::string_view marks{" failed: "};
    std::string told{"the database cannot be connected to"};
    auto const line = text.substr(0, text.find('\n'));
    auto const mark = line.find(marks);
    if (line.starts_with(begins) && mark != line.npos)
    {
        auto const reason = line.substr(mark + marks.size());
        auto const is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"'; };
        if (!reason.starts_with("FATAL") && std::ranges::all_of(reason, is_plain))
            told.append(": ").append(reason);
    }
    return told + "; the log of gaplessd says more";
}

std::string session_settings(connection_purpose purpose)
{
    // The bounds of our work are ours: a role's would end it as if the database were away. Those of
    // its settings that the server's version has.
    std::string settings = "select set_config(name, '0', false) from pg_catalog.pg_settings where "
                           "name in ('statement_timeout', 'transaction_timeout', "
                           "'idle_session_timeout', 'idle_in_transaction_session_timeout');"
                           "set default_transaction_isolation = 'serializable';"
                           "set synchronous_commit = 'on';"
                           "set enable_seqscan = off;"
                           // Without it, plans look expensive, the more so the larger the tables:
                           // years on, looking a number up would wait 10 ms for the compiler.
                           "set jit = off;"
                           "set timezone = 'UTC';"
                           "set datestyle = 'ISO, YMD';"
                           "set intervalstyle = 'postgres';"
                           "set extra_float_digits = 1;"
                           "set bytea_output = 'hex';"
                           "set quote_all_identifiers = off;"
                           "set array_nulls = on;"
                           // At COMMIT, a warning says that the wait for the standby was cut short.
                           "set client_min_messages = 'warning';"
                           "set client_encoding = 'UTF8';"
                           "set standard_conforming_strings = on;";
    switch (purpose)
    {
    case connection_purpose::service:
        settings += "set application_name = 'gaplessd';"
                    "set lock_timeout = '2s';"
                    "set idle_in_transaction_session_timeout = '5s';"
                    // Also ends on the server what no client waits for any more.
                    "set client_connection_check_interval = '2s';";
        break;
    case connection_purpose::operation:
        settings += "set application_name = 'gapless';"
                    "set lock_timeout = '30s';";
        break;
    }
    return settings;
}

namespace {

struct time_limit
{
    std::string_view name;
    std::string_view value;
};

constexpr std::array<time_limit, 4> peer_limits{
    {{"keepalives_idle", "5"},
     {"keepalives_interval", "2"},
     {"keepalives_count", "3"},
     {"tcp_user_timeout", "10000"}}};

/// name='value' with the quotes and backslashes of the value escaped.
void append_option(std::string& text, std::string_view name, std::string_view value)
{
    text.append(text.empty() ? "" : " ").append(name).append("='");
    for (auto const each : value)
    {
        if (each == '\'' || each == '\\')
            text += '\\';
        text += each;
    }
    text += '\'';
}

}  // namespace

namespace {

using connection_options = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;

std::string value_of(connection_options const& options, std::string_view name)
{
    auto const* option = options.get();
    while (option && option->keyword != nullptr && option->keyword != name)
        ++option;
    auto const* const value = option && option->keyword ? option->val : nullptr;
    return value ? value : "";
}

/// The options that a URL sets. Throws database_unreachable, also where a part of a password stands
/// in place of a host or port, because libpq would put it into a message.
connection_options read_options(std::string const& url)
{
    char* why{};
    connection_options options{PQconninfoParse(url.c_str(), &why), PQconninfoFree};
    std::unique_ptr<char, decltype(&PQfreemem)> const reason{why, PQfreemem};
    auto const fail = [](std::string_view text) {
        // What libpq quotes may be a piece of the password.
        return database_unreachable{
            "the URL of the database cannot be read: " +
            std::string{trimmed(text.substr(0, text.find('"')))} +
            "; in a URL, write / @ : ? # and % of a password as %2F %40 %3A %3F %23 %25; in "
            "key=value form, put it in single quotes"};
    };
    auto const why_not = std::string_view{reason ? reason.get() : "out of memory"};
    if (!options)
        throw fail(
            why_not.starts_with("missing \"=\"") ? "it is neither postgresql://… nor key=value"
                                                 : why_not
        );
    if (value_of(options, "port").find_first_not_of("0123456789, ") != std::string::npos)
        throw fail("its port is no number");
    if (value_of(options, "host").find('@', 1) != std::string::npos)
        throw fail("there is an @ in its host");
    return options;
}

/// True for a socket's folder and for this machine's name or address; empty: libpq's own socket.
bool is_local(std::string_view host)
{
    if (host.empty() || host.front() == '/' || host.front() == '@' || host == "localhost")
        return true;
    auto const address = read_ip_address(host);
    return address && (contains(*read_ip_network("127.0.0.0/8"), *address) ||
                       contains(*read_ip_network("::1"), *address));
}

}  // namespace

std::string to_public_options(std::string const& url)
{
    std::string text;
    try
    {
        auto const options = read_options(url);
        for (auto const* option = options.get(); option->keyword != nullptr; ++option)
            if (option->val != nullptr)
                append_option(
                    text, option->keyword, *option->dispchar == '*' ? "***" : option->val
                );
        return text;
    }
    catch (database_unreachable const&)
    {
        return "***";
    }
}

std::string weak_sslmode(std::string const& url)
{
    auto const options = read_options(url);
    connection_options const usual{PQconndefaults(), PQconninfoFree};
    auto const setting = [&](std::string_view name) {
        auto const value = value_of(options, name);
        return value.empty() ? value_of(usual, name) : value;
    };
    auto const mode = setting("sslmode");
    auto hosts = setting("hostaddr");
    if (hosts.empty())
        hosts = setting("host");
    bool all_local = true;
    for (auto const host : std::views::split(hosts, ','))
        all_local = all_local && is_local({host.begin(), host.end()});
    return all_local || mode == "verify-full" ? "" : mode;
}

std::string with_time_limits(std::string const& url, std::chrono::seconds connect_time)
{
    auto const options = read_options(url);
    // Later entries win, so the URL's own settings apply.
    std::string text;
    append_option(text, "connect_timeout", std::to_string(connect_time.count()));
    for (auto const& limit : peer_limits)
        append_option(text, limit.name, limit.value);
    for (auto const* option = options.get(); option->keyword != nullptr; ++option)
        if (option->val != nullptr)
            append_option(text, option->keyword, option->val);
    return text;
}

std::unique_ptr<pqxx::connection> open_connection(
    std::string const& url,
    connection_purpose purpose,
    std::function<void(pqxx::connection&)> const& connected
)
{
    try
    {
        auto connection =
            std::make_unique<pqxx::connection>(with_time_limits(url, connect_time_max));
        keep_from_reconnecting(*connection);
        if (connected)
            connected(*connection);
        pqxx::nontransaction plain{*connection};
        // As in admission.cpp. Poolers assign each of their clients a different process number.
        auto const claimed = query_row(
            plain,
            "select case when coalesce(current_setting('gapless.session', true), '') in ('', $1) "
            "then set_config('gapless.session', $1, false) end",
            connection->backendpid()
        );
        if (claimed[0].is_null())
            throw database_unreachable{std::string{pooled_sessions}, trouble_kind::pooled};
        execute(plain, session_settings(purpose));
        return connection;
    }
    catch (pqxx::failure const& error)
    {
        database_unreachable unreachable{to_public_text(error.what())};
        unreachable.told = to_told_text(unreachable.what());
        throw unreachable;
    }
}

connection_switch::connection_switch(pqxx::connection& connection)
    : socket_{::fcntl(connection.sock(), F_DUPFD_CLOEXEC, 0)}
{
    if (socket_ < 0)
        throw database_unreachable{"there is no file descriptor left"};
}

connection_switch::~connection_switch()
{
    ::close(socket_);
}

void connection_switch::turn_off() noexcept
{
    ::shutdown(socket_, SHUT_RDWR);
}

}  // namespace gapless
