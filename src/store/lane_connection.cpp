#include "store/lane_connection.hpp"

#include "base/failpoint.hpp"
#include "store/batch_protocol.hpp"
#include "store/connection.hpp"

#include <algorithm>

namespace gapless {

namespace {

/// Without the word that libpq begins with: what is left may be told to clients.
std::string first_line(std::string text)
{
    text.resize(std::min(text.find('\n'), text.size()));
    constexpr std::string_view severity = "ERROR:  ";
    if (text.starts_with(severity))
        text.erase(0, severity.size());
    return text;
}

/// What a statement failed with, empty when it went well.
std::string run(PGconn* connection, std::string const& text)
{
    result_pointer const done{PQexec(connection, text.c_str())};
    auto const status = PQresultStatus(done.get());
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
        return {};
    return first_line(PQerrorMessage(connection));
}

std::string set_up(
    PGconn* connection, lane_settings const& wanted, std::string const& accusation, bool& fenced
)
{
    if (PQstatus(connection) != CONNECTION_OK)
        return to_public_text(PQerrorMessage(connection));
    auto const settings = seeded_bug("session-settings-lost")
                              ? std::string{"set application_name = 'gaplessd'"}
                              : session_settings(connection_purpose::service);
    if (auto trouble = run(connection, settings); !trouble.empty())
        return trouble;
    if (auto const* standby = PQparameterStatus(connection, "in_hot_standby");
        standby != nullptr && std::string_view{standby} == "on")
        return "the server is a standby; numbers are issued on the primary only";
    if (auto trouble = prepare_statements(connection); !trouble.empty())
        return "the database has no schema of gapless, or another version's (run: gapless migrate "
               "up): " +
               first_line(trouble);
    if (auto trouble = find_obstacle(connection, wanted); !trouble.empty())
        return trouble;
    if (!accusation.empty())
        if (auto trouble = raise_fence(connection, accusation); !trouble.empty())
            return trouble;
    if (auto trouble = ask_gatekeeper(connection, wanted.admit, fenced); !trouble.empty())
        return trouble;
    if (PQsetnonblocking(connection, 1) != 0 || PQenterPipelineMode(connection) == 0)
        return first_line(PQerrorMessage(connection));
    return {};
}

}  // namespace

lane_connection open_lane_connection(lane_settings const& settings, std::string const& accusation)
{
    lane_connection opened;
    try
    {
        auto const url = with_time_limits(settings.database_url, settings.connect_timeout);
        opened.handle.reset(PQconnectdb(url.c_str()));
    }
    catch (database_unreachable const& error)
    {
        opened.trouble = error.what();
        return opened;
    }
    opened.trouble = set_up(opened.handle.get(), settings, accusation, opened.fenced);
    if (!opened.trouble.empty())
        opened.handle.reset();
    return opened;
}

}  // namespace gapless
