#include "base/log.hpp"
#include "base/text.hpp"
#include "issuing/batch_protocol.hpp"
#include "issuing/journal.hpp"
#include "issuing/pipeline_connection.hpp"
#include "postgres/connection.hpp"
#include "postgres/environment.hpp"
#include "postgres/health_check.hpp"
#include "postgres/interface.hpp"

#include <array>
#include <climits>
#include <string_view>
#include <unistd.h>

namespace gapless {

namespace {

/// A question to the database failed; `why` is what the table of outcomes makes of the error.
struct question_failed : std::runtime_error
{
    explicit question_failed(refusal said) : std::runtime_error{said.detail}, why{std::move(said)}
    {
    }

    refusal why;
};

void expect(result_pointer const& done, ExecStatusType status)
{
    if (PQresultStatus(done.get()) != status)
        throw question_failed{to_outcome(read_database_error(done.get())).why};
}

result_pointer ask(PGconn* connection, char const* text, std::vector<std::string> const& values)
{
    std::vector<char const*> parameters;
    parameters.reserve(values.size());
    for (auto const& value : values)
        parameters.push_back(value.c_str());
    result_pointer done{PQexecParams(
        connection,
        text,
        static_cast<int>(parameters.size()),
        nullptr,
        parameters.data(),
        nullptr,
        nullptr,
        0
    )};
    expect(done, PGRES_TUPLES_OK);
    return done;
}

/// Runs a command without an answer. What writes here begins READ COMMITTED with it: serializable,
/// as the session is, two connections that start together would meet 40001.
void tell(PGconn* connection, char const* text)
{
    expect(result_pointer{PQexec(connection, text)}, PGRES_COMMAND_OK);
}

/// Parses an integer sent by PostgreSQL; anything else means that the schema is not ours.
template <class Integer>
Integer to_integer(std::string_view text)
{
    auto const value = read_decimal<Integer>(text);
    if (!value)
        throw question_failed{unavailable(
            trouble_kind::not_our_schema,
            "the database sent '" + std::string{text} + "' for a number"
        )};
    return *value;
}

database_life read_life(PGconn* connection)
{
    auto const state =
        ask(connection,
            "select epoch, database_id, system_identifier, timeline, trouble, movable, "
            "database_oid, counter_oid, (extract(epoch from opened_at) * 1000000)::bigint, "
            "gapless.voided_epoch() from gapless.epoch_state()",
            {});
    auto const text = [&](int column) { return PQgetvalue(state.get(), 0, column); };
    // Without an epoch there is no database that a journal could have recorded.
    if (PQgetisnull(state.get(), 0, 1) != 0)
        throw question_failed{refusal{refusal_kind::fenced, text(4)}};
    database_life life;
    life.epoch = to_integer<std::int32_t>(text(0));
    life.database_id = text(1);
    life.system_identifier = to_integer<std::int64_t>(text(2));
    life.timeline = text(3);
    life.trouble = text(4);
    life.movable = *text(5) == 't';
    life.database_oid = text(6);
    life.counter_oid = to_integer<std::uint32_t>(text(7));
    life.opened_at =
        series_mark::moment{std::chrono::microseconds{to_integer<std::int64_t>(text(8))}};
    life.voided_epoch = to_integer<std::int32_t>(text(9));
    return life;
}

std::vector<series_mark> read_marks(PGconn* connection)
{
    auto const found =
        ask(connection, "select series_id, ordinal, turn from gapless.epoch_marks()", {});
    std::vector<series_mark> marks;
    for (int row = 0; row < PQntuples(found.get()); ++row)
    {
        auto const number = [&](int column) { return PQgetvalue(found.get(), row, column); };
        marks.push_back(
            {to_integer<std::int32_t>(number(0)),
             to_integer<std::int64_t>(number(1)),
             to_integer<std::int32_t>(number(2))}
        );
    }
    return marks;
}

/// What was issued here since another server took over the epoch, as text to append to a reason.
std::string told_since(PGconn* connection, series_mark::moment since)
{
    auto const found =
        ask(connection,
            "select gapless.issued_since(to_timestamp($1::bigint / 1000000.0))",
            {std::to_string(since.time_since_epoch().count())});
    if (PQgetisnull(found.get(), 0, 0) != 0)
        return "; nothing was issued here since then";
    return std::string{"; issued here since then, and perhaps there, too: "} +
           PQgetvalue(found.get(), 0, 0);
}

std::string name_of_host()
{
    std::array<char, HOST_NAME_MAX + 1> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

std::optional<refusal> to_obstacle(trouble_kind trouble, std::string why)
{
    if (why.empty())
        return std::nullopt;
    return unavailable(trouble, std::move(why));
}

/// Makes the database note whose journal this is; a move to another server needs to know.
void join_epoch(PGconn* connection, std::string const& journal)
{
    // A standby that is down may miss this record: after a failover every instance joins anew.
    tell(connection, "begin isolation level read committed");
    tell(connection, "set local synchronous_commit = local");
    auto const host = name_of_host();
    auto const found = ask(connection, "select gapless.epoch_join($1, $2)", {journal, host});
    tell(connection, "commit");
    if (PQgetisnull(found.get(), 0, 0) == 0)
        log_event(
            log_level::warning,
            "journal_from_another_host",
            {{"journal", journal}, {"host", host}, {"before", PQgetvalue(found.get(), 0, 0)}}
        );
}

}  // namespace

std::optional<refusal> claim_session(PGconn* connection)
{
    try
    {
        auto const claimed = ask(
            connection,
            "select case when coalesce(current_setting('gapless.session', true), '') in ('', $1) "
            "then set_config('gapless.session', $1, false) end",
            {std::to_string(PQbackendPID(connection))}
        );
        if (PQgetisnull(claimed.get(), 0, 0) == 0)
            return std::nullopt;
        return unavailable(trouble_kind::pooled, std::string{pooled_sessions});
    }
    catch (question_failed const& failure)
    {
        return failure.why;
    }
}

std::optional<refusal> raise_fence(PGconn* connection, std::string const& why)
{
    try
    {
        auto const begin = [&] {
            tell(connection, "begin isolation level read committed");
            tell(connection, "set local lock_timeout = '2s'");
        };
        // One series that somebody holds for long keeps none of the others from being fenced.
        begin();
        ask(connection,
            "select gapless.fence_begin($1, 'instance') from gapless.epoch_state() "
            "where trouble is null or movable",
            {why});
        tell(connection, "commit");
        begin();
        ask(connection,
            "select gapless.fence_raise($1, 'instance') from gapless.epoch_state() "
            "where trouble = $1",
            {why});
        tell(connection, "commit");
        return std::nullopt;
    }
    catch (question_failed const& failure)
    {
        // Either way this instance issues nothing, and tries again on its next connection.
        log_event(log_level::warning, "fence_not_raised", {{"why", failure.why.detail}});
        return failure.why;
    }
}

std::optional<refusal> find_misfit(PGconn* connection)
{
    try
    {
        auto const known =
            ask(connection, "select to_regprocedure('gapless.interface()') is not null", {});
        std::optional<interface_range> served;
        if (*PQgetvalue(known.get(), 0, 0) == 't')
        {
            auto const found =
                ask(connection, "select oldest_interface, interface from gapless.interface()", {});
            served = interface_range{
                to_integer<int>(PQgetvalue(found.get(), 0, 0)),
                to_integer<int>(PQgetvalue(found.get(), 0, 1))};
        }
        return to_obstacle(trouble_kind::not_our_schema, interface_obstacle(served));
    }
    catch (question_failed const& failure)
    {
        return failure.why;
    }
}

std::optional<refusal> find_obstacle(PGconn* connection, issue_connection_settings const& settings)
{
    try
    {
        auto const name = ask(connection, "select gapless.environment_name()", {});
        std::optional<std::string> environment;
        if (PQgetisnull(name.get(), 0, 0) == 0)
            environment = PQgetvalue(name.get(), 0, 0);
        if (auto why = environment_obstacle(settings.environment, environment); !why.empty())
            return unavailable(trouble_kind::other_environment, std::move(why));
        auto const found =
            ask(connection,
                "select name, severity, fine, value, advice from gapless.health_checks(null)",
                {});
        std::vector<health_check> checks;
        for (int row = 0; row < PQntuples(found.get()); ++row)
        {
            auto const text = [&](int column) { return PQgetvalue(found.get(), row, column); };
            checks.push_back(
                {text(0), to_health_severity(text(1)), *text(2) == 't', text(3), text(4)}
            );
        }
        return to_obstacle(trouble_kind::unsafe, obstacle_in(checks, settings.accept_risk));
    }
    catch (question_failed const& failure)
    {
        return failure.why;
    }
}

result<std::string> read_identity(PGconn* connection)
{
    try
    {
        // Two servers do not start in the same microsecond, and a server that restarts has cut its
        // connections.
        auto const found =
            ask(connection,
                "select concat_ws(' ', system_identifier, timeline, database_oid, "
                "extract(epoch from pg_postmaster_start_time())) from gapless.epoch_state()",
                {});
        return std::string{PQgetvalue(found.get(), 0, 0)};
    }
    catch (question_failed const& failure)
    {
        return failure.why;
    }
}

result<admitted_database> ask_admission_check(PGconn* connection, admission_check const& admit)
{
    try
    {
        // Read before the check: a restore that ends in between recreates the counter table.
        auto const first = read_life(connection);
        admitted_database found{
            first.epoch, first.counter_oid, read_marks(connection), first.voided_epoch};
        auto const life = [&] { return read_life(connection); };
        auto decision = admit ? admit(life, [&] { return read_marks(connection); })
                              : admission{.trouble = life().trouble};
        if (decision.alone_since != series_mark::moment{})
            decision.trouble += told_since(connection, decision.alone_since);
        if (decision.raise)
            raise_fence(connection, decision.trouble);
        if (decision.follow)
        {
            // The other connection may follow at the same moment, and waits then.
            tell(connection, "begin isolation level read committed");
            tell(connection, "set local lock_timeout = '2s'");
            ask(connection, "select gapless.epoch_follow($1, 'instance')", {decision.proof});
            tell(connection, "commit");
            return ask_admission_check(connection, admit);  // to the epoch that is open now
        }
        if (!decision.trouble.empty())
            return refusal{refusal_kind::fenced, decision.trouble};
        if (!decision.journal.empty())
            join_epoch(connection, decision.journal);
        return found;
    }
    catch (journal_failure const& failure)
    {
        return refusal{refusal_kind::fenced, failure.what()};
    }
    catch (question_failed const& failure)
    {
        return failure.why;
    }
}

}  // namespace gapless
