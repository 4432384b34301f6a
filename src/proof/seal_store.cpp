#include "proof/seal_store.hpp"

#include "postgres/query.hpp"

#include <nlohmann/json.hpp>

namespace gapless {

std::vector<std::int32_t> read_unsealed(pqxx::transaction_base& transaction)
{
    std::vector<std::int32_t> series;
    for (auto const& row : query_rows(transaction, "select series_id from gapless.unsealed()"))
        series.push_back(row[0].as<std::int32_t>());
    return series;
}

std::optional<bool> seal_records(
    pqxx::transaction_base& transaction, std::int32_t series_id, std::int64_t rows_max
)
{
    auto const row = query_row(transaction, "select gapless.seal($1, $2)", series_id, rows_max);
    return row[0].is_null() ? std::nullopt : std::optional{row[0].as<bool>()};
}

std::vector<seal_head> read_seal_heads(pqxx::transaction_base& transaction)
{
    std::vector<seal_head> heads;
    for (auto const& row : query_rows(
             transaction,
             "select database_id, epoch, series, link, encode(hash, 'hex') as hash, "
             "to_char(sealed_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') as "
             "sealed_at, ordinal, turn, event from gapless.seal_heads()"
         ))
        heads.push_back(
            {.database_id = row["database_id"].as<std::string>(),
             .epoch = row["epoch"].as<std::int32_t>(),
             .series = row["series"].as<std::string>(),
             .link = row["link"].as<std::int64_t>(),
             .hash = row["hash"].as<std::string>(),
             .sealed_at = row["sealed_at"].as<std::string>(),
             .ordinal = row["ordinal"].as<std::int64_t>(),
             .turn = row["turn"].as<std::int64_t>(),
             .event = row["event"].as<std::int64_t>()}
        );
    return heads;
}

std::vector<finding> verify_chain(
    pqxx::transaction_base& transaction, std::int32_t series_id, std::string const& series
)
{
    auto const row =
        query_row(transaction, "select findings from gapless.verify_chain($1)", series_id);
    std::vector<finding> findings;
    for (auto const& found : nlohmann::json::parse(row[0].as<std::string>()))
        findings.push_back(
            {series, found["at"].get<std::string>(), found["what"].get<std::string>()}
        );
    return findings;
}

std::vector<finding> verify_anchors(pqxx::transaction_base& transaction, std::string const& anchors)
{
    std::vector<finding> findings;
    for (auto const& row : query_rows(
             transaction, "select series, at, what from gapless.verify_anchors($1::jsonb)", anchors
         ))
        findings.push_back(
            {row[0].as<std::string>(), row[1].as<std::string>(), row[2].as<std::string>()}
        );
    return findings;
}

}  // namespace gapless
