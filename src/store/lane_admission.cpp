#include "base/log.hpp"
#include "domain/health_check.hpp"
#include "store/batch_protocol.hpp"
#include "store/environment.hpp"
#include "store/journal.hpp"
#include "store/lane_connection.hpp"

#include <charconv>
#include <string_view>

namespace gapless {

namespace {

struct question_failed : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

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
    if (PQresultStatus(done.get()) != PGRES_TUPLES_OK)
        throw question_failed{PQresultErrorMessage(done.get())};
    return done;
}

/// What PostgreSQL sends for an integer is one.
template <class Integer>
Integer to_integer(std::string_view text)
{
    Integer value{};
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        throw question_failed{"the database sent '" + std::string{text} + "' for a number"};
    return value;
}

database_life read_life(PGconn* connection)
{
    auto const state =
        ask(connection,
            "select epoch, database_id, system_identifier, timeline, trouble, movable, "
            "database_oid "
            "from gapless.epoch_state()",
            {});
    auto const text = [&](int column) { return PQgetvalue(state.get(), 0, column); };
    database_life life;
    life.epoch = to_integer<std::int32_t>(text(0));
    life.database_id = text(1);
    life.system_identifier = to_integer<std::int64_t>(text(2));
    life.timeline = text(3);
    life.trouble = text(4);
    life.movable = *text(5) == 't';
    life.database_oid = text(6);
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

}  // namespace

std::string raise_fence(PGconn* connection, std::string const& why)
{
    try
    {
        ask(connection, "select gapless.fence_raise($1, 'instance')", {why});
        return {};
    }
    catch (question_failed const& failure)
    {
        // This instance issues nothing either way, and tries again at its next connection.
        log_event(log_level::warning, "fence_not_raised", {{"why", failure.what()}});
        return failure.what();
    }
}

std::string find_obstacle(PGconn* connection, lane_settings const& settings)
{
    try
    {
        auto const name = ask(connection, "select gapless.environment_name()", {});
        std::optional<std::string> environment;
        if (PQgetisnull(name.get(), 0, 0) == 0)
            environment = PQgetvalue(name.get(), 0, 0);
        if (auto why = environment_obstacle(settings.environment, environment); !why.empty())
            return why;
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
        return obstacle_in(checks, settings.accept_risk);
    }
    catch (question_failed const& failure)
    {
        return failure.what();
    }
}

std::string read_identity(PGconn* connection, std::string& trouble)
{
    try
    {
        // Two servers do not start in the same microsecond; one that starts anew has cut its
        // connections.
        auto const found =
            ask(connection,
                "select concat_ws(' ', system_identifier, timeline, database_oid, "
                "extract(epoch from pg_postmaster_start_time())) from gapless.epoch_state()",
                {});
        return PQgetvalue(found.get(), 0, 0);
    }
    catch (question_failed const& failure)
    {
        trouble = failure.what();
        return {};
    }
}

std::string ask_gatekeeper(PGconn* connection, gatekeeper const& admit, bool& fenced)
{
    try
    {
        auto const life = read_life(connection);
        auto const decision = admit ? admit(life, [&] { return read_marks(connection); })
                                    : admission{.trouble = life.trouble};
        fenced = !decision.trouble.empty();
        if (decision.raise)
            raise_fence(connection, decision.trouble);
        if (decision.follow)
            ask(connection, "select gapless.epoch_follow($1, 'instance')", {decision.proof});
        return decision.trouble;
    }
    catch (journal_failure const& failure)
    {
        fenced = true;
        return failure.what();
    }
    catch (question_failed const& failure)
    {
        return failure.what();
    }
}

}  // namespace gapless
