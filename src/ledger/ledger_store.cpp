#include "ledger/ledger_store.hpp"

#include "issuing/binary_parameters.hpp"
#include "postgres/columns.hpp"
#include "postgres/sql.hpp"

#include <algorithm>

namespace gapless {

namespace {

std::vector<state_range> to_states(pqxx::result const& rows)
{
    std::vector<state_range> all;
    all.reserve(row_count(rows));
    for (auto const& row : rows)
        all.push_back(
            {row[0].as<std::string>(), row[1].as<std::int64_t>(), row[2].as<std::int64_t>()}
        );
    return all;
}

// A row of the binary cursor in fetch_ledger. Iterates over the columns, since in libpqxx 6 each
// row[n] counts a reference up and down, which costs more than all the rest.
ledger_row to_ledger_row(pqxx::row const& row, std::int32_t series_id)
{
    constexpr std::chrono::seconds epoch_of_postgresql{946'684'800};  // 2000-01-01
    ledger_row found;
    auto column = row.begin();
    found.range.ordinal = read_int8(column->c_str());
    found.range.serial = read_int8((++column)->c_str());
    found.range.count = read_int4((++column)->c_str());
    found.range.block_id = read_int4((++column)->c_str());
    found.issued_at = database_time{
        epoch_of_postgresql + std::chrono::microseconds{read_int8((++column)->c_str())}};
    ++column;
    if (!column->is_null())
        found.reference.emplace(column->c_str(), column->size());
    ++column;
    found.issuance = {
        series_id, 0, column->is_null() ? found.range.ordinal : read_int8(column->c_str())};
    ++column;
    if (!column->is_null())
        found.issuance.turn = read_int4(column->c_str());
    found.epoch = read_int4((++column)->c_str());
    found.held = !(++column)->is_null();
    found.reference_erased = *(++column)->c_str() != 0;
    if (*(++column)->c_str() != 0)
        found.issuance = to_answered_id(found.issuance);
    found.fate = (++column)->c_str();
    found.place = read_int8((++column)->c_str());
    return found;
}

/// The states of the numbers of these rows. Rows of one reference may be far apart, so they are
/// read row by row.
pqxx::result fetch_states(
    pqxx::transaction_base& transaction,
    std::int32_t series_id,
    pqxx::result const& rows,
    bool of_reference
)
{
    std::string firsts = "{";
    std::string lasts = "{";
    auto const add = [&](issued_range const& first, issued_range const& last) {
        auto const* separator = firsts.size() == 1 ? "" : ",";
        firsts += separator + std::to_string(first.ordinal);
        lasts += separator + std::to_string(last.ordinal + last.count - 1);
    };
    if (of_reference)
        for (auto const& row : rows)
        {
            auto const range = to_ledger_row(row, series_id).range;
            add(range, range);
        }
    else
    {
        // If numbers were issued again, rows may overlap.
        auto first = to_ledger_row(rows.front(), series_id).range;
        auto last = first;
        for (auto const& row : rows)
        {
            auto const range = to_ledger_row(row, series_id).range;
            first.ordinal = std::min(first.ordinal, range.ordinal);
            if (range.ordinal + range.count > last.ordinal + last.count)
                last = range;
        }
        add(first, last);
    }
    return query_rows(
        transaction,
        "select s.* from unnest($2::bigint[], $3::bigint[]) as r (first, last) "
        "cross join lateral gapless.state_ranges($1, r.first, r.last) s order by s.first_ordinal",
        series_id,
        firsts + "}",
        lasts + "}"
    );
}

}  // namespace

std::int64_t fetched_piece::place() const
{
    return to_ledger_row(rows_.back(), series_id_).place;
}

ledger_piece fetched_piece::to_piece() const
{
    ledger_piece piece;
    piece.rows.reserve(row_count(rows_));
    for (auto const& row : rows_)
        piece.rows.push_back(to_ledger_row(row, series_id_));
    piece.states = to_states(states_);
    return piece;
}

fetched_piece fetch_ledger(
    pqxx::transaction_base& transaction, std::int32_t series_id, ledger_page const& page
)
{
    execute(
        transaction,
        "declare ledger_piece binary no scroll cursor for "
        "select ordinal, serial, count, block_id, issued_at, reference, "
        "nullif(head_ordinal, ordinal), nullif(head_turn, 0), epoch, hold_seconds, "
        "reference_erased, reserve, fate, place from gapless.ledger_page(p_series_id => $1, "
        "p_after => $2, p_limit => $3, p_reference => $4, "
        "p_from => gapless.moment_of($5, false), p_to => gapless.moment_of($6, true), "
        "p_part => $7, p_of => $8, p_block_id => $9, p_last => $10, p_reaches => $11)",
        series_id,
        page.after,
        page.limit,
        page.reference,
        to_sql(page.issued.from),
        to_sql(page.issued.to),
        page.part,
        page.shares,
        page.block_id,
        page.last,
        page.reaches
    );
    auto const rows = query_rows(transaction, "fetch all from ledger_piece");
    execute(transaction, "close ledger_piece");
    if (rows.empty())
        return {series_id, rows, {}};
    auto const states = fetch_states(transaction, series_id, rows, page.reference.has_value());
    return {series_id, rows, states};
}

std::vector<state_range> read_states(pqxx::transaction_base& transaction, std::int32_t series_id)
{
    return to_states(query_rows(transaction, "select * from gapless.state_ranges($1)", series_id));
}

}  // namespace gapless
