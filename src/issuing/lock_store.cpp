#include "issuing/lock_store.hpp"

#include "postgres/query.hpp"

namespace gapless {

std::vector<series_blocker> read_blockers(
    pqxx::transaction_base& transaction, std::int32_t series_id
)
{
    std::vector<series_blocker> found;
    for (auto const& row : query_rows(
             transaction,
             "select pid, role, application, since, waits_for_standby from "
             "gapless.series_blocker($1)",
             series_id
         ))
        found.push_back(
            {row["pid"].as<std::int32_t>(),
             row["role"].as<std::string>(""),
             row["application"].as<std::string>(""),
             row["since"].as<std::string>(""),
             row["waits_for_standby"].as<bool>(false)}
        );
    return found;
}

}  // namespace gapless
