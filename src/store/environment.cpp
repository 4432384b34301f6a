#include "store/environment.hpp"

namespace gapless {

std::optional<std::string> read_environment(pqxx::connection& connection)
{
    pqxx::nontransaction plain{connection};
    // Not by catching its absence: an error here would spoil nothing, but look like one in its log.
    if (plain.exec1("select to_regprocedure('gapless.environment_name()') is null")[0].as<bool>())
        return std::nullopt;
    auto const name = plain.exec1("select gapless.environment_name()")[0];
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
    transaction.exec_params("select gapless.environment_set($1, $2)", name, actor);
}

}  // namespace gapless
