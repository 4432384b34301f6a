#include "postgres/environment.hpp"

#include "postgres/query.hpp"

namespace gapless {

std::optional<std::string> read_environment(pqxx::transaction_base& transaction)
{
    // Not by catching an error: it would do no harm, but look bad in the server's log.
    if (query_value<bool>(
            transaction, "select to_regprocedure('gapless.environment_name()') is null"
        ))
        return std::nullopt;
    auto const name = query_row(transaction, "select gapless.environment_name()")[0];
    if (name.is_null())
        return std::nullopt;
    return name.as<std::string>();
}

std::string environment_obstacle(std::string const& wanted, std::optional<std::string> const& found)
{
    if (wanted.empty() || found == wanted)
        return {};
    if (!found)
        return "this service is set to the environment '" + wanted +
               "', the database belongs to none; if it is the right one: gapless database "
               "environment " +
               wanted;
    return "this service is set to the environment '" + wanted + "', the database belongs to '" +
           *found + "': change --database-url, or --environment";
}

void set_environment(
    pqxx::transaction_base& transaction, std::string const& name, std::string const& actor
)
{
    execute(transaction, "select gapless.environment_set($1, $2)", name, actor);
}

std::string read_time_zone(pqxx::transaction_base& transaction)
{
    return query_value<std::string>(transaction, "select gapless.time_zone()");
}

void set_time_zone(
    pqxx::transaction_base& transaction, std::string const& zone, std::string const& actor
)
{
    execute(transaction, "select gapless.time_zone_set($1, $2)", zone, actor);
}

std::string read_today(pqxx::transaction_base& transaction)
{
    return query_value<std::string>(
        transaction, "select to_char(gapless.day_of(now()), 'YYYY-MM-DD')"
    );
}

}  // namespace gapless
