#include "store/number_store.hpp"

#include "store/columns.hpp"

namespace gapless {

namespace {

/// A bigint array as a parameter.
std::string to_array(std::vector<serial_range> const& ranges, std::int64_t serial_range::*end)
{
    std::string text = "{";
    for (auto const& range : ranges)
    {
        if (text.size() > 1)
            text += ',';
        text += std::to_string(range.*end);
    }
    return text + "}";
}

std::vector<history_entry> read_history(
    pqxx::transaction_base& transaction, std::int32_t series_id, std::int64_t ordinal
)
{
    std::vector<history_entry> entries;
    auto const rows = transaction.exec_params(
        "select kind, (extract(epoch from at) * 1000000)::bigint as at_us, actor, reason from "
        "gapless.number_history($1, $2)",
        series_id,
        ordinal
    );
    for (auto const& row : rows)
        entries.push_back(
            {row["kind"].as<std::string>(),
             to_time(row["at_us"]),
             row["actor"].as<std::string>(),
             optional_text(row["reason"])}
        );
    return entries;
}

}  // namespace

std::int64_t note_event(
    pqxx::transaction_base& transaction,
    std::int32_t series_id,
    event_draft const& event,
    std::string const& actor
)
{
    return transaction
        .exec_params1(
            "select gapless.note_event($1, $2, gapless.ordinals_of($1, $3, $4), $5, $6, $7)",
            series_id,
            event.kind,
            to_array(event.ranges, &serial_range::first),
            to_array(event.ranges, &serial_range::last),
            actor,
            event.reason,
            event.force
        )[0]
        .as<std::int64_t>();
}

std::int64_t settle_hold(
    pqxx::transaction_base& transaction,
    issuance_id const& id,
    std::vector<serial_range> const& ranges,
    bool confirm,
    std::string const& actor
)
{
    if (ranges.empty())
        return transaction
            .exec_params1(
                "select gapless.hold_settle($1, $2, $3, null, $4, $5)",
                id.series_id,
                id.turn,
                id.ordinal,
                confirm,
                actor
            )[0]
            .as<std::int64_t>();
    return transaction
        .exec_params1(
            "select gapless.hold_settle($1, $2, $3, gapless.ordinals_of($1, $4, $5), $6, $7)",
            id.series_id,
            id.turn,
            id.ordinal,
            to_array(ranges, &serial_range::first),
            to_array(ranges, &serial_range::last),
            confirm,
            actor
        )[0]
        .as<std::int64_t>();
}

std::optional<number_record> read_number(
    pqxx::transaction_base& transaction, std::int32_t series_id, std::int64_t serial
)
{
    auto const rows =
        transaction.exec_params("select * from gapless.number_report($1, $2)", series_id, serial);
    if (rows.empty())
        return std::nullopt;
    auto const& row = rows[0];
    number_record found;
    found.serial = serial;
    found.state = row["state"].as<std::string>();
    found.ordinal = optional_number(row["ordinal"]);
    found.block_id = row["block_id"].as<std::int32_t>();
    found.cycle = row["cycle"].as<std::int32_t>();
    found.reference = optional_text(row["reference"]);
    if (found.ordinal)
    {
        found.issuance = issuance_id{
            series_id, row["turn"].as<std::int32_t>(), row["head_ordinal"].as<std::int64_t>()};
        found.history = read_history(transaction, series_id, *found.ordinal);
    }
    return found;
}

std::vector<ledger_row> read_ledger(
    pqxx::transaction_base& transaction, std::int32_t series_id, ledger_page const& page
)
{
    std::vector<ledger_row> all;
    auto const rows = transaction.exec_params(
        // Not issued_at itself: as text it costs more than all the rest.
        "select head_turn, head_ordinal, ordinal, serial, count, block_id, reference, "
        "(extract(epoch from issued_at) * 1000000)::bigint as issued_us, epoch, hold_seconds "
        "from gapless.ledger_page($1, $2, $3, $4, $5::timestamptz, $6::timestamptz, $7, $8)",
        series_id,
        page.after,
        page.limit,
        page.reference,
        to_parameter(page.from),
        to_parameter(page.to),
        page.part,
        page.shares
    );
    all.reserve(rows.size());
    for (auto const& row : rows)
    {
        auto& added = all.emplace_back();
        added.issuance = {series_id, row[0].as<std::int32_t>(), row[1].as<std::int64_t>()};
        added.range.ordinal = row[2].as<std::int64_t>();
        added.range.serial = row[3].as<std::int64_t>();
        added.range.count = row[4].as<std::int32_t>();
        added.range.block_id = row[5].as<std::int32_t>();
        added.reference = optional_text(row[6]);
        added.issued_at = to_time(row[7]);
        added.epoch = row[8].as<std::int32_t>();
        added.held = !row[9].is_null();
    }
    return all;
}

std::vector<state_range> read_states(pqxx::transaction_base& transaction, std::int32_t series_id)
{
    std::vector<state_range> all;
    for (auto const& row :
         transaction.exec_params("select * from gapless.state_ranges($1)", series_id))
        all.push_back(
            {row[0].as<std::string>(), row[1].as<std::int64_t>(), row[2].as<std::int64_t>()}
        );
    return all;
}

swept sweep_expired(pqxx::transaction_base& transaction)
{
    auto const row = transaction.exec1("select holds, blocks from gapless.sweep()");
    return {row[0].as<std::int32_t>(), row[1].as<std::int32_t>()};
}

std::int64_t close_manifest(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::string const& day,
    std::string const& actor
)
{
    return transaction
        .exec_params1("select gapless.manifest_close($1, $2::date, $3)", series, day, actor)[0]
        .as<std::int64_t>();
}

std::vector<serial_range> read_manifest(
    pqxx::transaction_base& transaction, std::string const& series, std::string const& day
)
{
    std::vector<serial_range> all;
    for (auto const& row : transaction.exec_params(
             "select serial, count from gapless.manifest_ranges($1, $2::date)", series, day
         ))
    {
        auto const first = row[0].as<std::int64_t>();
        all.push_back({first, first + row[1].as<std::int64_t>() - 1});
    }
    return all;
}

}  // namespace gapless
