#include "store/health_store.hpp"

#include "store/query.hpp"

namespace gapless {

std::vector<health_check> read_health_checks(pqxx::transaction_base& transaction, int connections)
{
    std::vector<health_check> found;
    for (auto const& row : query_rows(
             transaction,
             "select name, severity, fine, value, advice from gapless.health_checks(nullif($1, 0))",
             connections
         ))
        found.push_back(
            {row["name"].as<std::string>(),
             to_health_severity(row["severity"].as<std::string>()),
             row["fine"].as<bool>(),
             row["value"].as<std::string>(),
             row["advice"].as<std::string>("")}
        );
    return found;
}

}  // namespace gapless
