#include "postgres/epoch_record.hpp"

#include "postgres/query.hpp"

namespace gapless {

epoch_record read_epoch(pqxx::transaction_base& transaction)
{
    auto const row = query_row(
        transaction,
        "select epoch, coalesce(database_id::text, ''), system_identifier, timeline, "
        "coalesce(trouble, ''), movable, coalesce(to_char(opened_at at time zone 'UTC', "
        "'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'), ''), coalesce(opened_by, ''), "
        "coalesce(reason, ''), database_oid, gapless.voided_epoch() from gapless.epoch_state()"
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
    found.life.voided_epoch = row[10].as<std::int32_t>();
    for (auto const& mark : query_rows(
             transaction, "select series_id, name, ordinal, turn from gapless.epoch_marks()"
         ))
    {
        found.marks.push_back(
            {mark[0].as<std::int32_t>(), mark[2].as<std::int64_t>(), mark[3].as<std::int32_t>()}
        );
        found.series.push_back(mark[1].as<std::string>());
    }
    return found;
}

}  // namespace gapless
