#include "proof/verify_store.hpp"

#include "postgres/query.hpp"
#include "series/operations.hpp"

#include <nlohmann/json.hpp>

namespace gapless {

namespace {

verification to_verification(pqxx::row const& row)
{
    verification seen;
    seen.series = row["series"].as<std::string>();
    seen.ledger_rows = row["rows"].as<std::int64_t>();
    seen.numbers = row["numbers"].as<std::string>();
    seen.blocks = row["blocks"].as<std::int64_t>();
    for (auto const& found : nlohmann::json::parse(row["findings"].as<std::string>()))
        seen.findings.push_back(
            {seen.series, found["at"].get<std::string>(), found["what"].get<std::string>()}
        );
    return seen;
}

}  // namespace

verification verify_series(
    pqxx::transaction_base& transaction, std::int32_t series_id, std::string const& name
)
{
    return to_verification(query_row(
        transaction,
        "select $2::text as series, v.* from gapless.verify_series($1) v",
        series_id,
        name
    ));
}

std::vector<verification> verify_all(pqxx::transaction_base& transaction)
{
    std::vector<verification> seen;
    for (auto const& row : query_rows(transaction, "select * from gapless.verify_all()"))
        seen.push_back(to_verification(row));
    return seen;
}

result<verification> cases::verify_series::run(pqxx::transaction_base& transaction) const
{
    auto const known = series::find(transaction, name);
    if (known.has_error())
        return known.error();
    return gapless::verify_series(transaction, known->series_id, known->name);
}

}  // namespace gapless
