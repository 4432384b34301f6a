#include "ledger/manifest_store.hpp"

#include "postgres/columns.hpp"
#include "postgres/query.hpp"

namespace gapless {

std::int64_t close_manifest(
    pqxx::transaction_base& transaction, manifest_day const& wanted, std::string const& actor
)
{
    return query_value<std::int64_t>(
        transaction,
        "select gapless.manifest_close($1, $2::date, $3)",
        wanted.series,
        wanted.day,
        actor
    );
}

std::optional<std::int64_t> count_manifest(
    pqxx::transaction_base& transaction, manifest_day const& wanted
)
{
    return optional_number(query_row(
        transaction,
        "select gapless.manifest_count($1, $2::date) as count",
        wanted.series,
        wanted.day
    )["count"]);
}

std::vector<serial_range> read_manifest(
    pqxx::transaction_base& transaction, manifest_day const& wanted
)
{
    std::vector<serial_range> all;
    for (auto const& row : query_rows(
             transaction,
             "select serial, count from gapless.manifest_ranges($1, $2::date)",
             wanted.series,
             wanted.day
         ))
    {
        auto const first = row[0].as<std::int64_t>();
        all.push_back({first, first + row[1].as<std::int64_t>() - 1});
    }
    return all;
}

}  // namespace gapless
