#include "epochs/epoch_store.hpp"

#include "base/moment.hpp"
#include "base/text.hpp"
#include "postgres/columns.hpp"
#include "postgres/query.hpp"

#include <nlohmann/json.hpp>

namespace gapless {

namespace {

std::int64_t to_integer(std::string const& text)
{
    return read_decimal<std::int64_t>(text).value_or(0);
}

/// Parses the text of gapless.move_marks(); ordered by name.
std::vector<move_mark> read_marks(std::string const& text)
{
    std::vector<move_mark> marks;
    auto const all = nlohmann::json::parse(text);
    for (auto const& [series, mark] : all.items())
        marks.push_back(
            {series,
             mark.at("series_id"),
             to_integer(mark.at("ordinal")),
             mark.at("turn"),
             to_integer(mark.at("events"))}
        );
    return marks;
}

}  // namespace

move_record read_move(pqxx::transaction_base& transaction)
{
    auto const row = query_row(
        transaction,
        "select epoch, database_id, opened_oid, coalesce(trouble, ''), coalesce(move_id::text, "
        "''), "
        "coalesce(to_char(prepared_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'), "
        "''), "
        "opened_on, here, coalesce(marks, '{}'), present, journals, gapless.voided_epoch() "
        "from gapless.epoch_move_report()"
    );
    move_record found;
    found.epoch = row[0].as<std::int32_t>();
    found.database_id = row[1].as<std::string>();
    found.database_oid = row[2].as<std::string>();
    found.other_fence = row[3].as<std::string>();
    found.move_id = row[4].as<std::string>();
    found.prepared_at = row[5].as<std::string>();
    found.opened_on = row[6].as<std::string>();
    found.here = row[7].as<std::string>();
    found.marks = read_marks(row[8].as<std::string>());
    found.present = read_marks(row[9].as<std::string>());
    for (auto const& each : nlohmann::json::parse(row[10].as<std::string>()))
        found.journals.push_back({each.at("id"), each.at("host"), each.at("epoch")});
    found.voided_epoch = row[11].as<std::int32_t>();
    return found;
}

void prepare_move(
    pqxx::transaction_base& transaction, std::string const& reason, std::string const& actor
)
{
    execute(transaction, "select gapless.epoch_prepare_move($1, $2)", reason, actor);
}

void complete_move(pqxx::transaction_base& transaction, epoch_opening const& wanted)
{
    execute(
        transaction,
        "select gapless.epoch_complete_move(p_epoch => $1, p_reason => $2, p_proof => $3::jsonb, "
        "p_actor => $4)",
        wanted.epoch,
        wanted.reason,
        wanted.proof,
        wanted.actor
    );
}

std::optional<std::int64_t> read_room(pqxx::transaction_base& transaction, std::int32_t series_id)
{
    auto const room = query_row(transaction, "select gapless.epoch_room($1)", series_id)[0];
    return room.is_null() ? std::nullopt : std::optional{room.as<std::int64_t>()};
}

std::int64_t fill_series(
    pqxx::transaction_base& transaction,
    series_mark const& up_to,
    missing_numbers what,
    std::string const& reason,
    std::string const& actor
)
{
    return query_value<std::int64_t>(
        transaction,
        "select gapless.epoch_fill(p_series_id => $1, p_last => $2, p_quarantine => $3, "
        "p_reason => $4, p_actor => $5, p_next_serial => nullif($6, 0))",
        up_to.series_id,
        up_to.ordinal,
        what == missing_numbers::may_be_issued,
        reason,
        actor,
        up_to.next_serial
    );
}

std::int64_t void_issued_again(
    pqxx::transaction_base& transaction,
    std::int32_t series_id,
    series_mark const& noted,
    std::string const& reason,
    std::string const& actor
)
{
    return query_value<std::int64_t>(
        transaction,
        "select gapless.epoch_void_again(p_series_id => $1, p_ordinal => $2, p_ordinal_at => $3, "
        "p_turn => $4, p_turn_at => $5, p_reason => $6, p_actor => $7)",
        series_id,
        noted.ordinal,
        to_rfc3339(noted.ordinal_at),
        noted.turn,
        to_rfc3339(noted.turn_at),
        reason,
        actor
    );
}

std::optional<std::string> propose_epoch(
    pqxx::transaction_base& transaction, epoch_opening const& wanted
)
{
    auto const rows = query_rows(
        transaction,
        "select gapless.epoch_propose(p_epoch => $1, p_reason => $2, p_proof => $3::jsonb, "
        "p_actor => $4)",
        wanted.epoch,
        wanted.reason,
        wanted.proof,
        wanted.actor
    );
    if (rows[0][0].is_null())
        return std::nullopt;
    return rows[0][0].as<std::string>();
}

std::optional<std::string> find_unproven_leases(
    pqxx::transaction_base& transaction, std::string const& proof
)
{
    if (!query_value<bool>(transaction, "select to_regclass('gapless.lease') is not null"))
        return std::nullopt;  // before interface 3
    return optional_text(
        query_row(transaction, "select gapless.leases_unproven($1::jsonb -> 'leases')", proof)[0]
    );
}

std::int64_t open_epoch(pqxx::transaction_base& transaction, epoch_opening const& wanted)
{
    return query_value<std::int64_t>(
        transaction,
        "select gapless.epoch_open(p_epoch => $1, p_reason => $2, p_proof => $3::jsonb, "
        "p_actor => $4)",
        wanted.epoch,
        wanted.reason,
        wanted.proof,
        wanted.actor
    );
}

}  // namespace gapless
