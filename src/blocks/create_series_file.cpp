#include "blocks/create_series_file.hpp"

#include "base/table_text.hpp"
#include "base/written_value.hpp"
#include "blocks/block_cases.hpp"
#include "formats/block_ends.hpp"
#include "formats/find_series.hpp"
#include "record/refused.hpp"
#include "series/operations.hpp"

namespace gapless::cases {

namespace {

result<block_draft> to_draft(blocks::series_row const& row, bound_format const& format)
{
    auto ends = read_block_ends(format, row.first->text, row.last->text);
    if (ends.has_error())
        return refusal{refusal_kind::out_of_range, std::move(ends.error().reason)};
    auto reference = written::read_reference(row.reference.value_or(""));
    if (reference.has_error())
        return reference.error();
    block_draft draft{
        .series = row.name,
        .first = ends->first_serial,
        .last = ends->last_serial,
        .reference = std::move(*reference),
        .valid_until = row.valid_until,
        .completed = std::move(ends->completed)};
    if (row.count)
        draft.count = row.count->digits;
    return draft;
}

/// Throws refused, as the database's own refusals leave it.
loaded_blocks load_first_block(
    pqxx::transaction_base& transaction,
    blocks::series_row const& row,
    bool confirmed,
    std::string const& actor
)
{
    auto const format = value_or_throw(find_series{row.name}.run(transaction)).format;
    load_blocks wanted{.series = row.name, .drafts = {value_or_throw(to_draft(row, format))}};
    if (confirmed)
        wanted.confirmed.assign(load_warning_codes.begin(), load_warning_codes.end());
    return value_or_throw(wanted.run(transaction, actor));
}

}  // namespace

result<created_series> create_series_file::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    created_series done;
    for (auto const& [line, column, row] : file.series)
    {
        at->line = line;
        at->column = 0;
        if (tick)
            tick(static_cast<std::size_t>(done.series));
        gapless::series::create(transaction, row, {actor}, {});
        ++done.series;
        if (!row.first)
            continue;
        at->column = column;
        auto const loaded = load_first_block(transaction, row, confirmed, actor);
        done.blocks += static_cast<std::int64_t>(loaded.blocks.size());
        done.proposals += loaded.proposal ? 1 : 0;
        for (auto const& warning : loaded.warnings)
            done.warnings.push_back(
                to_text({line, column, warning.code + ": " + warning.detail}, name)
            );
    }
    return done;
}

}  // namespace gapless::cases
