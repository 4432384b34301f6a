#include "postgres/schema_differences.hpp"

#include "postgres/columns.hpp"
#include "postgres/query.hpp"

#include <fmt/format.h>

namespace gapless {

std::vector<schema_difference> read_differences(pqxx::transaction_base& transaction)
{
    std::vector<schema_difference> differences;
    // The roles that sql/postgres/grants.sql creates.
    for (auto const& row : query_rows(
             transaction,
             "select r.name, format('create role %I nologin', r.name) "
             "from (values ('gapless_service'), ('gapless_app'), ('gapless_admin'), "
             "('gapless_audit')) r (name) "
             "where not exists (select from pg_roles p where p.rolname = r.name)"
         ))
        differences.push_back(
            {.kind = "role",
             .what = fmt::format("the role {} does not exist", row[0].as<std::string>()),
             .mend = {row[1].as<std::string>()}}
        );
    if (query_value<bool>(
            transaction, "select to_regprocedure('gapless.schema_differences()') is null"
        ))
        return differences;
    for (auto const& row : query_rows(
             transaction,
             "select kind, what, mend from gapless.schema_differences() order by kind, what"
         ))
        differences.push_back(
            {.kind = row["kind"].as<std::string>(),
             .what = row["what"].as<std::string>(),
             .mend = read_array(row["mend"])}
        );
    return differences;
}

void ensure_roles_can_be_made(
    pqxx::transaction_base& transaction, std::vector<schema_difference> const& differences
)
{
    std::string missing;
    for (auto const& difference : differences)
        if (difference.kind == "role")
            missing += fmt::format("\n    {};", difference.mend.front());
    if (missing.empty())
        return;
    auto const row = query_row(
        transaction,
        "select rolname, rolsuper or rolcreaterole from pg_roles where rolname = current_user"
    );
    if (row[1].as<bool>())
        return;
    throw migrator_refused{fmt::format(
        "roles of gapless do not exist, and the role {} may not create any; nothing was changed\n"
        "  an administrator of the server runs:{}\n  then again: gapless migrate up",
        row[0].as<std::string>(),
        missing
    )};
}

void ensure_no_overloads(pqxx::transaction_base& transaction)
{
    for (auto const& row : query_rows(
             transaction,
             "select f.proname, string_agg(format('%s(%s)', f.proname, "
             "pg_get_function_identity_arguments(f.oid)), ' and ' order by f.oid) "
             "from pg_proc f join pg_language l on l.oid = f.prolang "
             "where f.pronamespace = 'gapless'::regnamespace and l.lanname in ('sql', 'plpgsql') "
             // Only those whose key is a uuid; sql/issuing/issue.sql has all three.
             "and (f.proname <> 'issue' or 'uuid'::regtype <> all (f.proargtypes::oid[])) "
             "group by f.proname having count(*) > 1"
         ))
        throw std::runtime_error{
            "gapless." + row[0].as<std::string>() +
            " would exist more than once, nothing was changed: " + row[1].as<std::string>() +
            "; drop the one that is not gapless' own"};
}

void mend(pqxx::nontransaction& plain, schema_difference const& difference)
{
    for (auto const& statement : difference.mend)
    {
        auto const patient = statement.find(" concurrently ") != statement.npos ||
                             statement.find(" CONCURRENTLY ") != statement.npos;
        if (patient)
            execute(plain, "set lock_timeout = '10min'");
        else
            execute(plain, "set lock_timeout = '300ms'");
        execute(plain, statement);
    }
    execute(plain, "set lock_timeout = '30s'");
}

}  // namespace gapless
