#include "blocks/block_store.hpp"

#include "postgres/columns.hpp"
#include "postgres/query.hpp"
#include "postgres/sql.hpp"
#include "record/refusal_records.hpp"

namespace gapless {

/// The most blocks named as completed; the preview has all of them.
constexpr std::size_t completed_max = 20;

std::vector<load_warning> read_block_warnings(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::span<block_draft const> drafts
)
{
    auto const found = select<load_warning>(
        transaction,
        "select code, detail from gapless.block_warnings(p_series => $1, "
        "p_firsts => $2::bigint[], p_lasts => $3::bigint[], p_valid_untils => "
        "gapless.ends_of($4::text[]), "
        "p_issued_untils => $5::bigint[])",
        series,
        to_array(drafts, &block_draft::first),
        to_array(drafts, &block_draft::last),
        to_array(drafts, &block_draft::valid_until),
        to_array(drafts, &block_draft::issued_until)
    );
    std::vector<load_warning> warnings;
    for (auto const& draft : drafts)
        if (!draft.completed.empty() && warnings.size() < completed_max)
            warnings.push_back({"completed", draft.completed});
    warnings.insert(warnings.end(), found.begin(), found.end());
    return warnings;
}

std::vector<std::size_t> find_late_blocks(
    pqxx::transaction_base& transaction, std::span<block_draft const> drafts
)
{
    auto const rows = query_rows(
        transaction,
        "select n.place - 1 from unnest(gapless.ends_of($1::text[])) with ordinality as n "
        "(valid_until, "
        "place) "
        "where n.valid_until <= now() and (select s.trouble from gapless.epoch_state() s) is null "
        "order by n.place",
        to_array(drafts, &block_draft::valid_until)
    );
    std::vector<std::size_t> late;
    for (auto const& row : rows)
        late.push_back(row[0].as<std::size_t>());
    return late;
}

block_preview preview_blocks(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::span<block_draft const> drafts,
    std::string const& actor
)
{
    auto const rows = query_rows(
        transaction,
        "select place, hits, position, cycle, (extract(epoch from valid_until) * 1000000)::bigint "
        "as "
        "valid_until from gapless.block_preview(p_series => $1, "
        "p_firsts => $2::bigint[], p_lasts => $3::bigint[], p_issued_untils => $4::bigint[], "
        "p_valid_untils => gapless.ends_of($5::text[]), p_actor => $6)",
        series,
        to_array(drafts, &block_draft::first),
        to_array(drafts, &block_draft::last),
        to_array(drafts, &block_draft::issued_until),
        to_array(drafts, &block_draft::valid_until),
        actor
    );
    block_preview preview;
    for (auto const& row : rows)
        if (row["hits"].is_null())
            preview.places.push_back(
                {.position = row["position"].as<std::int32_t>(),
                 .cycle = row["cycle"].as<std::int32_t>(),
                 .valid_until = optional_time(row["valid_until"])}
            );
        else
            preview.hits.push_back(
                {row["place"].as<std::size_t>() - 1, row["hits"].as<std::string>()}
            );
    return preview;
}

void lock_for_load(
    pqxx::transaction_base& transaction,
    std::string const& series,
    bool alone,
    std::string const& actor
)
{
    execute(transaction, "select gapless.load_lock($1, $2, $3)", series, alone, actor);
}

std::int64_t count_blocks(pqxx::transaction_base& transaction)
{
    return query_value<std::int64_t>(transaction, "select gapless.blocks_loaded()");
}

std::int32_t load_block(
    pqxx::transaction_base& transaction, block_draft const& draft, std::string const& actor
)
{
    return query_value<std::int32_t>(
        transaction,
        "select gapless.block_load(p_series => $1, p_first => $2, p_last => $3, "
        "p_count => $4::numeric, p_reference => $5, p_valid_until => gapless.moment_of($6, true), "
        "p_actor => $7, p_issued_until => $8)",
        draft.series,
        draft.first,
        draft.last,
        draft.count,
        draft.reference,
        to_sql(draft.valid_until),
        actor,
        draft.issued_until
    );
}

std::vector<block_hit> load_blocks(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::span<block_draft const> drafts,
    std::string const& actor
)
{
    std::vector<block_hit> hits;
    auto const rows = query_rows(
        transaction,
        "select place, hits from gapless.block_load_many(p_series => $1, "
        "p_firsts => $2::bigint[], p_lasts => $3::bigint[], p_references => $4::text[], "
        "p_valid_untils => gapless.ends_of($5::text[]), p_actor => $6) where hits is not null",
        series,
        to_array(drafts, &block_draft::first),
        to_array(drafts, &block_draft::last),
        to_array(drafts, &block_draft::reference),
        to_array(drafts, &block_draft::valid_until),
        actor
    );
    for (auto const& row : rows)
        hits.push_back({row["place"].as<std::size_t>() - 1, row["hits"].as<std::string>()});
    return hits;
}

}  // namespace gapless
