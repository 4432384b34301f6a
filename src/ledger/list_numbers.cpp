#include "ledger/list_numbers.hpp"

#include "blocks/operations.hpp"
#include "ledger/ledger_store.hpp"
#include "ledger/ledger_text.hpp"

#include <fmt/format.h>

namespace gapless {

std::optional<std::int64_t> next_after(std::vector<ledger_row> const& rows, ledger_page const& page)
{
    if (rows.size() < static_cast<std::size_t>(page.limit))
        return std::nullopt;
    return rows.back().place;
}

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

result<std::vector<ledger_row>> read_ledger::run(pqxx::transaction_base& transaction) const
{
    if (auto const checked = check_page(transaction, *series, page); checked.has_error())
        return checked.error();
    return gapless::read_ledger(transaction, series->series_id, page);
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
        auto const piece = fetch_ledger(transaction, series->series_id, wanted).to_piece();
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
        made.next = next_after(piece.rows, wanted);
        wanted.after = made.next.value_or(0);
    } while (whole && made.next);
    return made;
}

}  // namespace cases

}  // namespace gapless
