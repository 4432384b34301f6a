#include "store/verify_store.hpp"

#include <nlohmann/json.hpp>

namespace gapless {

verification verify_series(pqxx::transaction_base& transaction, series_record const& series)
{
    auto const row =
        transaction.exec_params1("select * from gapless.verify_series($1)", series.series_id);
    verification seen;
    seen.series = series.name;
    seen.ledger_rows = row["rows"].as<std::int64_t>();
    seen.numbers = row["numbers"].as<std::string>();
    seen.blocks = row["blocks"].as<std::int64_t>();
    for (auto const& found : nlohmann::json::parse(row["findings"].as<std::string>()))
        seen.findings.push_back(
            {series.name, found["at"].get<std::string>(), found["what"].get<std::string>()}
        );
    return seen;
}

}  // namespace gapless
