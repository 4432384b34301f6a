#include "ledger/list_numbers.hpp"

#include "blocks/operations.hpp"
#include "ledger/ledger_store.hpp"
#include "ledger/ledger_text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gapless {

namespace {

/// Counts the numbers of a row by state. `states` are ordered by ordinal, and may occur twice.
void count_states(ledger_row& row, std::vector<state_range> const& states)
{
    auto next = row.range.ordinal;
    auto const end = next + row.range.count;
    auto const add = [&](std::string const& state, std::int64_t last) {
        if (last > next)
            row.states[state] += last - next;
        next = std::max(next, last);
    };
    auto each = std::ranges::partition_point(states, [&](state_range const& before) {
        return before.last_ordinal < next;
    });
    for (; each != states.end() && each->first_ordinal < end; ++each)
    {
        add("issued", each->first_ordinal);
        add(each->state, std::min(end, each->last_ordinal + 1));
    }
    add("issued", end);
}

/// Cuts rows to a run of ordinals.
void cut(std::vector<ledger_row>& rows, std::int64_t first, std::int64_t last)
{
    for (auto& row : rows)
    {
        auto& range = row.range;
        auto const end = std::min(range.ordinal + range.count, last + 1);
        auto const skipped = std::max<std::int64_t>(first - range.ordinal, 0);
        range.ordinal += skipped;
        range.serial += skipped;
        range.count = static_cast<std::int32_t>(std::max<std::int64_t>(end - range.ordinal, 0));
    }
    std::erase_if(rows, [](ledger_row const& row) { return row.range.count == 0; });
}

/// A page of the ledger, and where the next one starts. Between serials it ends with each run of
/// ordinals, so it may be short before the end.
ledger_piece read_piece(
    pqxx::transaction_base& transaction, std::int32_t series_id, ledger_page page
)
{
    auto const fetch = [&] {
        auto piece = fetch_ledger(transaction, series_id, page).to_piece();
        if (piece.rows.size() >= static_cast<std::size_t>(page.limit))
            piece.next = piece.rows.back().place;
        return piece;
    };
    if (!page.serials)
        return fetch();
    auto const runs = query_rows(
        transaction,
        "select first, last, before from gapless.ordinals_between($1, $2, $3, $4) limit 2",
        series_id,
        page.serials->first,
        page.serials->last,
        page.after
    );
    if (runs.empty())
        return {};
    auto const first = runs[0][0].as<std::int64_t>();
    auto const last = runs[0][1].as<std::int64_t>();
    page.after = std::max(page.after, runs[0][2].as<std::int64_t>());
    page.reaches = first;
    auto piece = fetch();
    if (!piece.next || *piece.next >= last)
        piece.next = row_count(runs) > 1 ? std::optional{last} : std::nullopt;
    cut(piece.rows, first, last);
    return piece;
}

}  // namespace

result<void> check_page(
    pqxx::transaction_base& transaction, series_entry const& series, ledger_page const& page
)
{
    if (auto const checked = check_period(transaction, page.issued); checked.has_error())
        return checked.error();
    if (!page.block_id)
        return {};
    if (blocks::read_all(transaction, series.name, page.block_id).empty())
        return blocks::missing_block(series.name, *page.block_id);
    return {};
}

namespace cases {

result<ledger_piece> read_ledger::run(pqxx::transaction_base& transaction) const
{
    if (auto const checked = check_page(transaction, *series, page); checked.has_error())
        return checked.error();
    auto piece = read_piece(transaction, series->series_id, page);
    for (auto& row : piece.rows)
        if (row.fate.empty())
            count_states(row, piece.states);
    return piece;
}

result<numbers_text> list_numbers::run(pqxx::transaction_base& transaction) const
{
    constexpr std::int32_t piece_rows = 1'000;
    if (auto const checked = check_page(transaction, *series, page); checked.has_error())
        return checked.error();
    auto wanted = page;
    if (whole)
        wanted.limit = piece_rows;
    ledger_text writer{series->format, {.csv = style}};
    numbers_text made;
    writer.begin(made.csv);
    do
    {
        auto const piece = read_piece(transaction, series->series_id, wanted);
        writer.begin_piece(piece);
        for (auto const& row : piece.rows)
        {
            writer.append(made.csv, row);
            if (made.csv.size() > numbers_bytes_max)
                return refusal{
                    refusal_kind::out_of_range,
                    fmt::format(
                        "The list is longer than {} bytes; ask for pages with limit, for less with "
                        "from and to, or use 'gapless issuance list {} -o csv'.",
                        numbers_bytes_max,
                        series->name
                    )};
        }
        made.next = piece.next;
        wanted.after = made.next.value_or(0);
    } while (whole && made.next);
    return made;
}

}  // namespace cases

}  // namespace gapless
