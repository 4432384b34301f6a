#include "issuing/pipeline_connection.hpp"

#include "base/contract.hpp"
#include "issuing/batch_protocol.hpp"
#include "postgres/connection.hpp"

#include <sys/socket.h>

namespace gapless {

namespace {

/// The connection's own error message.
refusal trouble_of(PGconn* connection)
{
    return unavailable(trouble_kind::disconnected, to_public_text(PQerrorMessage(connection)));
}

/// The error of a statement, or nothing if it succeeded.
std::optional<refusal> run(PGconn* connection, std::string const& text)
{
    result_pointer const done{PQexec(connection, text.c_str())};
    auto const status = PQresultStatus(done.get());
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
        return std::nullopt;
    return to_outcome(read_database_error(done.get())).why;
}

std::optional<refusal> set_up(
    PGconn* connection,
    issue_connection_settings const& wanted,
    std::string const& accusation,
    pipeline_connection& opened
)
{
    if (auto trouble = claim_session(connection))
        return trouble;
    auto const settings = session_settings(connection_purpose::service);
    // Batches of other series queue behind a batch that waits, so it waits for less than others do.
    // The last of two settings counts.
    if (auto trouble = run(connection, settings + "set lock_timeout = '200ms'"))
        return trouble;
    if (auto const* standby = PQparameterStatus(connection, "in_hot_standby");
        standby != nullptr && std::string_view{standby} == "on")
        return unavailable(
            trouble_kind::read_only,
            "the server is a standby; numbers are issued on the primary only"
        );
    if (auto trouble = find_misfit(connection))
        return trouble;
    if (auto trouble = prepare_statements(connection))
        return trouble;
    if (auto trouble = find_obstacle(connection, wanted))
        return trouble;
    if (!accusation.empty())
        if (auto trouble = raise_fence(connection, accusation))
            return trouble;
    auto admitted = ask_admission_check(connection, wanted.admit);
    if (admitted.has_error())
        return admitted.error();
    opened.admitted = std::move(*admitted);
    auto identity = read_identity(connection);
    if (identity.has_error())
        return identity.error();
    opened.server = std::move(*identity);
    if (PQsetnonblocking(connection, 1) != 0 || PQenterPipelineMode(connection) == 0)
        return trouble_of(connection);
    return std::nullopt;
}

}  // namespace

void set_up_watch::begin(int socket)
{
    std::lock_guard const lock{mutex_};
    socket_ = socket;
    began_ = clock::now();
    cut_ = over_;
    if (over_)
        ::shutdown(socket_, SHUT_RDWR);
}

bool set_up_watch::end()
{
    std::lock_guard const lock{mutex_};
    socket_ = -1;
    return cut_;
}

void set_up_watch::cut(clock::time_point since) noexcept
{
    std::lock_guard const lock{mutex_};
    over_ = over_ || since == clock::time_point::max();
    if (socket_ < 0 || began_ > since || cut_)
        return;
    cut_ = true;
    ::shutdown(socket_, SHUT_RDWR);
}

pipeline_connection open_pipeline_connection(
    issue_connection_settings const& settings, std::string const& accusation, set_up_watch& watch
)
{
    pipeline_connection opened;
    try
    {
        auto const url = with_time_limits(settings.database_url, settings.connect_timeout);
        opened.handle.reset(PQconnectdb(url.c_str()));
    }
    catch (database_unreachable const& error)
    {
        opened.trouble = unavailable(error.trouble, error.what());
        return opened;
    }
    auto* const connection = opened.handle.get();
    if (PQstatus(connection) != CONNECTION_OK)
    {
        opened.cause = trouble_of(connection).detail;
        opened.trouble = unavailable(trouble_kind::disconnected, to_told_text(opened.cause));
    }
    else
    {
        watch.begin(PQsocket(connection));
        try
        {
            opened.trouble = set_up(connection, settings, accusation, opened);
        }
        catch (contract_violation const&)
        {
            throw;
        }
        catch (std::exception const& failure)
        {
            opened.trouble = unavailable(
                trouble_kind::disconnected,
                std::string{"the connection could not be set up: "} + failure.what()
            );
        }
        if (watch.end())
            opened.trouble = unavailable(
                trouble_kind::disconnected,
                "the database did not answer in time while the connection was set up"
            );
    }
    if (opened.trouble)
        opened.handle.reset();
    return opened;
}

}  // namespace gapless
