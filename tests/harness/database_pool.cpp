#include "harness/database_pool.hpp"

#include "harness/database.hpp"
#include "harness/template_database.hpp"
#include "postgres/query.hpp"

#include <cstdint>

namespace gapless::test {

namespace {

/// What else belongs to a database than rows: changes with each object that is made, altered,
/// granted or dropped, and with a setting.
constexpr auto catalogs_query = R"(
select concat_ws(' ',
    (select sum(hashtext(concat_ws(' ', oid, relname, relacl, reloptions, relforcerowsecurity)))
     from pg_class),
    (select format('%s %s', count(*), sum(xmin::text::bigint)) from pg_attribute),
    (select format('%s %s', count(*), sum(xmin::text::bigint)) from pg_proc),
    (select format('%s %s', count(*), sum(xmin::text::bigint)) from pg_trigger),
    (select format('%s %s', count(*), sum(xmin::text::bigint)) from pg_constraint),
    (select format('%s %s', count(*), sum(xmin::text::bigint)) from pg_type),
    (select format('%s %s', count(*), sum(xmin::text::bigint)) from pg_extension),
    (select format('%s %s %s', d.datconnlimit, d.datacl, string_agg(s::text, ' '))
     from pg_database d left join pg_db_role_setting s on s.setdatabase = d.oid
     where d.datname = current_database() group by d.oid)))";

/// A clone is fenced, like every copy of a database, and one that lost its rows was put back; this
/// one is the case's own, and unknown to every journal.
constexpr auto begin_life =
    "set session_replication_role = replica; "
    "update gapless.epoch set database_id = gen_random_uuid(), database_oid = "
    "(select oid from pg_database where datname = current_database())";

/// Row by row, which costs less than new files; what is larger than a page leaves nothing that the
/// next case would read.
std::string empties(std::string const& table)
{
    return "if pg_relation_size('" + table + "') <= 8192 then delete from " + table +
           "; else truncate " + table + " cascade; end if; ";
}

/// The statement that makes a database's rows and sequences what they are now. It leaves alone what
/// its case has not touched.
std::string renewal_of(pqxx::connection& connection)
{
    pqxx::nontransaction plain{connection};
    std::string emptying;
    std::string inserting;
    for (auto const& table : query_rows(
             plain,
             "select oid::regclass from pg_class "
             "where relkind = 'r' and relnamespace = 'gapless'::regnamespace"
         ))
    {
        auto const name = table[0].as<std::string>();
        auto const rows = query_value<std::string>(
            plain, "select coalesce(json_agg(t)::text, '') from " + name + " t"
        );
        if (rows.empty())
        {
            emptying +=
                "if pg_relation_size('" + name + "') > 0 then " + empties(name) + "end if; ";
            continue;
        }
        auto const digest =
            "(select md5(string_agg(t::text, ' ' order by t::text)) from " + name + " t)";
        emptying += "if " + digest + " is distinct from '" +
                    query_value<std::string>(plain, "select " + digest) + "' then " +
                    empties(name) + "end if; ";
        inserting +=
            "if not exists (select from " + name + ") then insert into " + name +
            " overriding system value select * from json_populate_recordset(null::" + name + ", " +
            plain.quote(rows) + "); end if; ";
    }
    auto const sequences = query_value<std::string>(
        plain,
        "select string_agg(format('perform setval(%L, %s, %L); ', seqrelid::regclass, "
        "coalesce(pg_sequence_last_value(seqrelid), seqstart), "
        "pg_sequence_last_value(seqrelid) is not null), '') from pg_sequence"
    );
    return "set session_replication_role = replica; do $renewal$ begin " + emptying + inserting +
           sequences + "end $renewal$";
}

/// The connection as a new one would be, except that it has read the catalogs and planned.
void forget_session(pqxx::connection& connection)
{
    execute(
        connection,
        "reset session authorization; reset all; close all; unlisten *; "
        "select pg_advisory_unlock_all(); discard temporary; discard sequences"
    );
}

}  // namespace

database_pool::database_pool(std::string const& server)
    : server_{std::make_unique<pqxx::connection>(server)}
{
    // What libpqxx makes at its first query has to be there before a pool that is static, and so
    // outlive it.
    execute(*server_, "select");
}

database_pool::~database_pool()
try
{
    for (auto const& each : free_)
        drop(each.name);
}
catch (std::exception const&)
{
    // The server is gone, and its databases with it.
}

bool database_pool::is_open() const
{
    return server_->is_open();
}

pooled_database database_pool::take()
{
    if (free_.empty())
        return make("gapless_test_" + random_suffix());
    auto taken = std::move(free_.back());
    free_.pop_back();
    return taken;
}

pooled_database database_pool::make(std::string const& name)
{
    drop(name);
    // Files are copied in half the time in which their pages are logged, where nothing is fsynced.
    execute(
        *server_,
        "create database " + name + " template " + ready_template(*server_) + " strategy file_copy"
    );
    pooled_database made{name, connect(name)};
    if (renewal_.empty())
    {
        renewal_ = renewal_of(*made.connection);
        pqxx::nontransaction plain{*made.connection};
        catalogs_ = query_value<std::string>(plain, catalogs_query);
    }
    execute(*made.connection, begin_life);
    forget_session(*made.connection);
    return made;
}

std::unique_ptr<pqxx::connection> database_pool::connect(std::string const& name)
{
    return std::make_unique<pqxx::connection>(connection_string(server_url(), {{"dbname", name}}));
}

void database_pool::drop(std::string const& name)
{
    execute(*server_, "drop database if exists " + name + " with (force)");
}

void database_pool::give_back(pooled_database used)
{
    if (empty(used))
        free_.push_back(std::move(used));
    else
        drop(used.name);
}

bool database_pool::empty(pooled_database& used)
try
{
    if (used.connection && !used.connection->is_open())
        used.connection.reset();
    {
        pqxx::nontransaction plain{*server_};
        auto const stay = query_value<std::int64_t>(
            plain,
            // Behind OFFSET, or the planner would end everybody and then look who was meant.
            "select count(*) from (select pid from pg_stat_activity where datname = $1 and pid <> "
            "$2 offset 0) s where not pg_terminate_backend(pid, 10000)",
            used.name,
            used.connection ? used.connection->backendpid() : 0
        );
        if (stay > 0)
            return false;
    }
    if (!used.connection)
        used.connection = connect(used.name);
    forget_session(*used.connection);
    {
        pqxx::nontransaction plain{*used.connection};
        if (query_value<std::string>(plain, catalogs_query) != catalogs_)
            return false;
    }
    execute(*used.connection, renewal_);
    execute(*used.connection, begin_life);
    forget_session(*used.connection);
    return true;
}
catch (std::exception const&)
{
    return false;
}

}  // namespace gapless::test
