#include "store/epoch_store.hpp"

namespace gapless {

epoch_record read_epoch(pqxx::transaction_base& transaction)
{
    auto const row = transaction.exec1(
        "select epoch, database_id, system_identifier, timeline, coalesce(trouble, ''), movable, "
        "to_char(opened_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'), opened_by, "
        "reason, database_oid from gapless.epoch_state()"
    );
    epoch_record found;
    found.life.epoch = row[0].as<std::int32_t>();
    found.life.database_id = row[1].as<std::string>();
    found.life.system_identifier = row[2].as<std::int64_t>();
    found.life.timeline = row[3].as<std::string>();
    found.life.trouble = row[4].as<std::string>();
    found.life.movable = row[5].as<bool>();
    found.opened_at = row[6].as<std::string>();
    found.opened_by = row[7].as<std::string>();
    found.reason = row[8].as<std::string>();
    found.life.database_oid = row[9].as<std::string>();
    for (auto const& mark :
         transaction.exec("select series_id, name, ordinal, turn from gapless.epoch_marks()"))
    {
        found.marks.push_back(
            {mark[0].as<std::int32_t>(), mark[2].as<std::int64_t>(), mark[3].as<std::int32_t>()}
        );
        found.series.push_back(mark[1].as<std::string>());
    }
    return found;
}

std::int64_t fill_series(
    pqxx::transaction_base& transaction,
    series_mark const& up_to,
    bool quarantine,
    std::string const& reason,
    std::string const& actor
)
{
    return transaction
        .exec_params(
            "select gapless.epoch_fill($1, $2, $3, $4, $5)",
            up_to.series_id,
            up_to.ordinal,
            quarantine,
            reason,
            actor
        )[0][0]
        .as<std::int64_t>();
}

std::optional<std::string> propose_epoch(
    pqxx::transaction_base& transaction,
    std::int32_t epoch,
    std::string const& reason,
    std::string const& proof,
    std::string const& actor
)
{
    auto const rows = transaction.exec_params(
        "select gapless.epoch_propose($1, $2, $3::jsonb, $4)", epoch, reason, proof, actor
    );
    if (rows[0][0].is_null())
        return std::nullopt;
    return rows[0][0].as<std::string>();
}

void open_epoch(
    pqxx::transaction_base& transaction,
    std::int32_t epoch,
    std::string const& reason,
    std::string const& proof,
    std::string const& actor
)
{
    transaction.exec_params(
        "select gapless.epoch_open($1, $2, $3::jsonb, $4)", epoch, reason, proof, actor
    );
}

}  // namespace gapless
