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

/// The statement that makes a database's rows and sequences what they are now.
std::string renewal_of(pqxx::connection& connection)
{
    pqxx::nontransaction plain{connection};
    std::string deleting;
    std::string inserting;
    for (auto const& table : query_rows(
             plain,
             "select oid::regclass from pg_class "
             "where relkind = 'r' and relnamespace = 'gapless'::regnamespace"
         ))
    {
        auto const name = table[0].as<std::string>();
        // Row by row, which costs less than new files; what is larger than a page leaves nothing
        // that the next case would read.
        deleting += "if pg_relation_size('" + name + "') <= 8192 then delete from " + name +
                    "; else truncate " + name + " cascade; end if; ";
        auto const rows = query_value<std::string>(
            plain, "select coalesce(json_agg(t)::text, '') from " + name + " t"
        );
        if (!rows.empty())
            inserting +=
                "insert into " + name +
                " overriding system value select * from json_populate_recordset(null::" + name +
                ", " + plain.quote(rows) + "); ";
    }
    auto const sequences = query_value<std::string>(
        plain,
        "select string_agg(format('perform setval(%L, %s, %L); ', seqrelid::regclass, "
        "coalesce(pg_sequence_last_value(seqrelid), seqstart), "
        "pg_sequence_last_value(seqrelid) is not null), '') from pg_sequence"
    );
    // A clone is fenced, like every copy of a database, and one that lost its rows was put back;
    // this one is the case's own, and unknown to every journal.
    return "set session_replication_role = replica; do $renewal$ begin " + deleting + inserting +
           sequences +
           "update gapless.epoch set database_id = gen_random_uuid(), database_oid = "
           "(select oid from pg_database where datname = current_database()); end $renewal$";
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
    for (auto const& name : free_)
        drop(name);
}
catch (std::exception const&)
{
    // The server is gone, and its databases with it.
}

bool database_pool::is_open() const
{
    return server_->is_open();
}

std::string database_pool::take()
{
    if (!free_.empty())
    {
        auto name = free_.back();
        free_.pop_back();
        return name;
    }
    auto name = "gapless_test_" + random_suffix();
    make(name);
    return name;
}

void database_pool::make(std::string const& name)
{
    drop(name);
    // Files are copied in half the time in which their pages are logged, where nothing is fsynced.
    execute(
        *server_,
        "create database " + name + " template " + ready_template(*server_) + " strategy file_copy"
    );
    pqxx::connection connection{connection_string(server_url(), {{"dbname", name}})};
    if (renewal_.empty())
    {
        renewal_ = renewal_of(connection);
        pqxx::nontransaction plain{connection};
        catalogs_ = query_value<std::string>(plain, catalogs_query);
    }
    execute(connection, renewal_);
}

void database_pool::drop(std::string const& name)
{
    execute(*server_, "drop database if exists " + name + " with (force)");
}

void database_pool::give_back(std::string const& name)
{
    if (empty(name))
        free_.push_back(name);
    else
        drop(name);
}

bool database_pool::empty(std::string const& name)
try
{
    {
        pqxx::nontransaction plain{*server_};
        auto const stay = query_value<std::int64_t>(
            plain,
            // Behind OFFSET, or the planner would end everybody and then look who was meant.
            "select count(*) from (select pid from pg_stat_activity where datname = $1 offset 0) s "
            "where not pg_terminate_backend(pid, 10000)",
            name
        );
        if (stay > 0)
            return false;
    }
    pqxx::connection connection{connection_string(server_url(), {{"dbname", name}})};
    {
        pqxx::nontransaction plain{connection};
        if (query_value<std::string>(plain, catalogs_query) != catalogs_)
            return false;
    }
    execute(connection, renewal_);
    return true;
}
catch (std::exception const&)
{
    return false;
}

}  // namespace gapless::test
