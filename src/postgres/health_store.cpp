#include "postgres/health_store.hpp"

#include "postgres/connection.hpp"
#include "postgres/query.hpp"

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

health_check check_sslmode(std::string const& url)
{
    auto const weak = weak_sslmode(url);
    return {
        .name = "sslmode",
        .severity = health_severity::warning,
        .fine = weak.empty(),
        .value = weak.empty() ? "verify-full, or on this machine" : weak,
        .advice = "whoever stands between gapless and the database can read along, or answer in "
                  "its place: set sslmode=verify-full and sslrootcert in the URL"};
}

}  // namespace gapless
