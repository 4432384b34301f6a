#include "harness/template_database.hpp"

#include "harness/database.hpp"
#include "harness/mutant.hpp"
#include "postgres/embedded_sql.hpp"
#include "postgres/query.hpp"
#include "postgres/schema.hpp"

#include <atomic>
#include <unistd.h>

namespace gapless::test {

namespace {

constexpr auto template_prefix = "gapless_test_template_";
constexpr auto mutant_prefix = "gapless_test_mutant_";  // tools/mutants drops them

/// One number for all test programs: they queue up here to make the template. "template" in ASCII.
constexpr auto template_lock = "8387794203087631461";

bool exists(pqxx::connection& connection, std::string const& database)
{
    pqxx::nontransaction plain{connection};
    return !query_rows(plain, "select from pg_database where datname = $1", database).empty();
}

/// Migrates under another name first, so that a template with the right name is always whole.
void make_template(pqxx::connection& server, std::string const& name)
{
    auto const unfinished = "gapless_test_unfinished_" + random_suffix();
    execute(server, "drop database if exists " + unfinished + " with (force)");
    execute(server, "create database " + unfinished);
    {
        pqxx::connection connection{connection_string(server_url(), {{"dbname", unfinished}})};
        migrate(connection);
        apply_mutant(connection);
    }
    execute(server, "alter database " + unfinished + " allow_connections false");
    execute(server, "alter database " + unfinished + " rename to " + name);
}

/// Templates of earlier schemas are of no use to anybody.
void drop_other_templates(pqxx::connection& server, std::string const& name)
{
    std::vector<std::string> old;
    {
        pqxx::nontransaction plain{server};
        for (auto const& row : query_rows(
                 plain,
                 "select datname from pg_database where starts_with(datname, $1) and datname <> $2",
                 template_prefix,
                 name
             ))
            old.push_back(row[0].as<std::string>());
    }
    for (auto const& database : old)
        try
        {
            execute(server, "drop database if exists " + database);
        }
        catch (pqxx::sql_error const&)
        {
            // Another program is just cloning it.
        }
}

/// Name of the template of this program's schema. The hash is no secret: it only tells schemas
/// apart.
std::string template_name()
{
    std::size_t hash = 0;
    for (auto const& file : embedded_migrations())
        hash = hash * 31 + std::hash<std::string_view>{}(file.text);
    auto const functions = functions_checksum().substr(0, 16);
    if (!mutant_sql().empty())
        return mutant_prefix + std::to_string(std::hash<std::string>{}(mutant_sql())) + "_" +
               functions;
    return template_prefix + std::to_string(hash) + "_" + functions;
}

}  // namespace

void execute(pqxx::connection& connection, std::string const& sql)
{
    pqxx::nontransaction plain{connection};
    gapless::execute(plain, sql);
}

std::string random_suffix()
{
    static std::atomic<int> counter{0};
    return std::to_string(getpid()) + "_" + std::to_string(++counter);
}

std::string const& ready_template(pqxx::connection& server)
{
    static std::string const name = [&] {
        auto const wanted = template_name();
        if (!exists(server, wanted))
        {
            execute(
                server,
                std::string{"do $$ begin perform pg_advisory_lock("} + template_lock + "); end $$"
            );
            if (!exists(server, wanted))
            {
                if (mutant_sql().empty())
                    drop_other_templates(server, wanted);
                make_template(server, wanted);
            }
            execute(
                server,
                std::string{"do $$ begin perform pg_advisory_unlock("} + template_lock + "); end $$"
            );
        }
        return wanted;
    }();
    return name;
}

}  // namespace gapless::test
