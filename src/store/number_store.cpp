#include "store/number_store.hpp"

#include "store/columns.hpp"
#include "store/lease_store.hpp"
#include "store/query.hpp"

#include <array>

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
    auto const rows = query_rows(
        transaction,
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
    return query_value<std::int64_t>(
        transaction,
        "select gapless.note_event(p_series_id => $1, p_kind => $2, "
        "p_numbers => gapless.ordinals_of($1, p_firsts => $3, p_lasts => $4), "
        "p_actor => $5, p_reason => $6, p_force => $7)",
        series_id,
        event.kind,
        to_array(event.ranges, &serial_range::first),
        to_array(event.ranges, &serial_range::last),
        actor,
        event.reason,
        event.force
    );
}

std::int64_t settle_hold(
    pqxx::transaction_base& transaction,
    issuance_id const& id,
    std::vector<serial_range> const& ranges,
    settlement what,
    std::string const& actor
)
{
    if (ranges.empty())
        return query_value<std::int64_t>(
            transaction,
            "select gapless.hold_settle(p_series_id => $1, p_turn => $2, p_ordinal => $3, "
            "p_numbers => null, p_confirm => $4, p_actor => $5)",
            id.series_id,
            id.turn,
            id.ordinal,
            what == settlement::confirm,
            actor
        );
    return query_value<std::int64_t>(
        transaction,
        "select gapless.hold_settle(p_series_id => $1, p_turn => $2, p_ordinal => $3, "
        "p_numbers => gapless.ordinals_of($1, p_firsts => $4, p_lasts => $5), "
        "p_confirm => $6, p_actor => $7)",
        id.series_id,
        id.turn,
        id.ordinal,
        to_array(ranges, &serial_range::first),
        to_array(ranges, &serial_range::last),
        what == settlement::confirm,
        actor
    );
}

std::optional<number_record> read_number(
    pqxx::transaction_base& transaction, std::int32_t series_id, std::int64_t serial
)
{
    auto const rows =
        query_rows(transaction, "select * from gapless.number_report($1, $2)", series_id, serial);
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
    found.reference_erased = row["reference_erased"].as<bool>(false);
    found.recalled = row["recalled"].as<bool>();
    if (found.ordinal)
    {
        auto& id = found.issuance.emplace(issuance_id{
            series_id, row["turn"].as<std::int32_t>(), row["head_ordinal"].as<std::int64_t>()});
        name_as_answered(transaction, series_id, std::array{&id});
        found.history = read_history(transaction, series_id, *found.ordinal);
    }
    return found;
}

swept sweep_expired(pqxx::transaction_base& transaction)
{
    auto const row = query_row(transaction, "select holds, blocks from gapless.sweep()");
    return {row[0].as<std::int32_t>(), row[1].as<std::int32_t>()};
}

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
