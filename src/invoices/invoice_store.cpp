#include "invoices/invoice_store.hpp"

#include "postgres/columns.hpp"
#include "postgres/query.hpp"
#include "postgres/sql.hpp"

namespace gapless {

std::vector<billed_block> read_billed_blocks(
    pqxx::transaction_base& transaction, std::string const& series
)
{
    std::vector<billed_block> all;
    auto const rows = query_rows(
        transaction,
        "select first, last, elsewhere, issued, coalesce(first_ordinal, 0) as first_ordinal, cycle "
        "from gapless.block_report($1) where state <> 'withdrawn'",
        series
    );
    all.reserve(rows.size());
    for (auto const& row : rows)
        all.push_back(
            {row[0].as<std::int64_t>(),
             row[1].as<std::int64_t>(),
             row[2].as<std::int64_t>(),
             row[3].as<std::int64_t>(),
             row[4].as<std::int64_t>(),
             row[5].as<std::int32_t>()}
        );
    return all;
}

std::vector<ordinal_range> read_issued_between(
    pqxx::transaction_base& transaction, std::int32_t series_id, period const& issued
)
{
    std::vector<ordinal_range> all;
    auto const rows = query_rows(
        transaction,
        "select first, last from gapless.issued_between(p_series_id => $1, "
        "p_from => gapless.moment_of($2, false), p_to => gapless.moment_of($3, true))",
        series_id,
        to_sql(issued.from),
        to_sql(issued.to)
    );
    all.reserve(rows.size());
    for (auto const& row : rows)
        all.push_back({row[0].as<std::int64_t>(), row[1].as<std::int64_t>()});
    return all;
}

std::vector<replaced_number> read_replacements(
    pqxx::transaction_base& transaction,
    std::int32_t series_id,
    std::span<std::int64_t const> ordinals
)
{
    std::vector<replaced_number> all;
    auto const rows = query_rows(
        transaction,
        "select ordinal, replacement from gapless.replacements_of($1, $2)",
        series_id,
        to_array(ordinals)
    );
    for (auto const& row : rows)
        all.push_back({row[0].as<std::int64_t>(), row[1].as<std::int64_t>()});
    return all;
}

void check_connection(pqxx::transaction_base& transaction)
{
    execute(transaction, "select");
}

}  // namespace gapless
