#include "store/block_store.hpp"

#include "base/contract.hpp"
#include "store/columns.hpp"
#include "store/draft_arrays.hpp"
#include "store/query.hpp"

namespace gapless {

namespace {

block_record to_block(pqxx::row const& row)
{
    block_record block;
    block.block_id = row["block_id"].as<std::int32_t>();
    block.series = row["series"].as<std::string>();
    block.first = row["first"].as<std::int64_t>();
    block.last = row["last"].as<std::int64_t>();
    block.count = row["count"].as<std::int64_t>();
    block.elsewhere = row["elsewhere"].as<std::int64_t>();
    block.issued = row["issued"].as<std::int64_t>();
    block.remaining = row["remaining"].as<std::int64_t>();
    block.next = optional_number(row["next"]);
    block.state = row["state"].as<std::string>();
    block.reference = optional_text(row["reference"]);
    block.valid_until = optional_time(row["valid_until"]);
    block.position = row["position"].as<std::int32_t>();
    block.cycle = row["cycle"].as<std::int32_t>();
    block.closed_reason = optional_text(row["closed_reason"]);
    block.recalled_at = optional_time(row["recalled_at"]);
    block.loaded_by = row["loaded_by"].as<std::string>();
    block.loaded_at = to_time(row["loaded_at"]);
    return block;
}

}  // namespace

std::vector<block_record> read_blocks(
    pqxx::transaction_base& transaction,
    std::optional<std::string> const& series,
    std::optional<std::int32_t> block_id
)
{
    std::vector<block_record> all;
    auto const rows = query_rows(
        transaction,
        "select block_id, series, first, last, count, elsewhere, issued, remaining, next, state, "
        "reference, position, cycle, closed_reason, loaded_by,"
        " (extract(epoch from valid_until) * 1000000)::bigint as valid_until,"
        " (extract(epoch from recalled_at) * 1000000)::bigint as recalled_at,"
        " (extract(epoch from loaded_at) * 1000000)::bigint as loaded_at "
        "from gapless.block_report($1, $2)",
        series,
        block_id
    );
    for (auto const& row : rows)
        all.push_back(to_block(row));
    return all;
}

std::vector<load_warning> read_block_warnings(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::span<block_draft const> drafts
)
{
    auto const blocks = to_arrays(drafts);
    auto const rows = query_rows(
        transaction,
        "select code, detail from gapless.block_warnings(p_series => $1, "
        "p_firsts => $2::bigint[], p_lasts => $3::bigint[], p_valid_untils => $4::timestamptz[], "
        "p_issued_untils => $5::bigint[])",
        series,
        blocks.firsts,
        blocks.lasts,
        blocks.valid_untils,
        blocks.issued_untils
    );
    std::vector<load_warning> warnings;
    for (auto const& row : rows)
        warnings.push_back({row["code"].as<std::string>(), row["detail"].as<std::string>()});
    return warnings;
}

std::vector<std::size_t> find_late_blocks(
    pqxx::transaction_base& transaction, std::span<block_draft const> drafts
)
{
    auto const rows = query_rows(
        transaction,
        "select n.place - 1 from unnest($1::timestamptz[]) with ordinality as n (valid_until, "
        "place) "
        "where n.valid_until <= now() and (select s.trouble from gapless.epoch_state() s) is null "
        "order by n.place",
        to_arrays(drafts).valid_untils
    );
    std::vector<std::size_t> late;
    for (auto const& row : rows)
        late.push_back(row[0].as<std::size_t>());
    return late;
}

block_record load_block(
    pqxx::transaction_base& transaction, block_draft const& draft, std::string const& actor
)
{
    auto const row = query_row(
        transaction,
        "select gapless.block_load(p_series => $1, p_first => $2, p_last => $3, "
        "p_count => $4::numeric, p_reference => $5, p_valid_until => $6::timestamptz, "
        "p_actor => $7, p_issued_until => $8)",
        draft.series,
        draft.first,
        draft.last,
        draft.count,
        draft.reference,
        to_parameter(draft.valid_until),
        actor,
        draft.issued_until
    );
    auto const loaded = read_blocks(transaction, draft.series, row[0].as<std::int32_t>());
    ensure(loaded.size() == 1, "a block that was loaded can be read");
    return loaded.front();
}

std::vector<block_hit> load_blocks(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::span<block_draft const> drafts,
    std::string const& actor
)
{
    auto const blocks = to_arrays(drafts);
    std::vector<block_hit> hits;
    auto const rows = query_rows(
        transaction,
        "select place, hits from gapless.block_load_many(p_series => $1, "
        "p_firsts => $2::bigint[], p_lasts => $3::bigint[], p_references => $4::text[], "
        "p_valid_untils => $5::timestamptz[], p_actor => $6) where hits is not null",
        series,
        blocks.firsts,
        blocks.lasts,
        blocks.references,
        blocks.valid_untils,
        actor
    );
    for (auto const& row : rows)
        hits.push_back({row["place"].as<std::size_t>() - 1, row["hits"].as<std::string>()});
    return hits;
}

void move_block(
    pqxx::transaction_base& transaction,
    std::int32_t block_id,
    std::optional<std::int32_t> before,
    std::string const& actor
)
{
    execute(transaction, "select gapless.block_move($1, $2, $3)", block_id, before, actor);
}

std::int64_t close_block(
    pqxx::transaction_base& transaction,
    std::int32_t block_id,
    std::string const& reason,
    std::string const& actor
)
{
    return query_value<std::int64_t>(
        transaction, "select gapless.block_close($1, $2, $3)", block_id, reason, actor
    );
}

void withdraw_block(
    pqxx::transaction_base& transaction,
    std::int32_t block_id,
    std::string const& reason,
    std::string const& actor
)
{
    execute(transaction, "select gapless.block_withdraw($1, $2, $3)", block_id, reason, actor);
}

void recall_block(
    pqxx::transaction_base& transaction,
    std::int32_t block_id,
    std::string const& reason,
    std::string const& actor
)
{
    execute(transaction, "select gapless.block_recall($1, $2, $3)", block_id, reason, actor);
}

}  // namespace gapless
