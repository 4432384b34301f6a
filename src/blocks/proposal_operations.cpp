#include "blocks/proposal_operations.hpp"

#include "formats/series_formats.hpp"
#include "postgres/sql.hpp"
#include "record/operates.hpp"

#include <fmt/format.h>

namespace gapless::proposals {

namespace {

/// The proposals from gapless.proposal_report, which returns a row for each block.
std::vector<proposal> read_report(
    pqxx::transaction_base& database,
    std::optional<std::vector<std::string>> const& series,
    std::optional<std::int32_t> id,
    std::optional<std::int32_t> after,
    std::int32_t limit,
    std::optional<proposal_state> state = {}
)
{
    auto const rows = query_rows(
        database,
        "select *, proposal_id as id, last - first + 1 as count "
        "from gapless.proposal_report(p_series => $1::text[], p_proposal_id => $2, "
        "p_after => $3, p_limit => $4, p_state => $5)",
        to_sql(series),
        id,
        after,
        limit,
        to_sql(state)
    );
    row_reader<proposal> const read_proposal{rows};
    row_reader<proposed_block> const read_block{rows};
    std::vector<proposal> found;
    for (auto const& row : rows)
    {
        auto each = read_proposal(row);
        if (found.empty() || found.back().id != each.id)
            found.push_back(std::move(each));
        found.back().blocks.push_back(read_block(row));
    }
    series_formats formats{database};
    for (auto& each : found)
        print_numbers(each, formats[each.series]);
    return found;
}

std::vector<proposal> list(
    pqxx::transaction_base& database, proposal_page const& wanted, viewer const& sees
)
{
    return read_report(database, sees.series, {}, wanted.after_id(), wanted.rows(), wanted.state);
}

proposal read(pqxx::transaction_base& database, proposal_id const& which, viewer const& sees)
{
    auto found = value_or_throw(find(database, which.id, sees.series));
    if (found.state == "proposed")
        found.warnings = {.present = true, .value = read_warnings(database, which.id)};
    return found;
}

/// Refuses with not_found, state_conflict (settled or expired).
proposal reject(
    pqxx::transaction_base& database, proposal_id const& which, caller const& by, viewer const& sees
)
{
    value_or_throw(find(database, which.id, sees.series));
    execute(database, "select gapless.proposal_reject($1, $2)", which.id.value, by.name);
    return value_or_throw(find(database, which.id, sees.series));
}

// In the order of `gapless proposal --help`, around `confirm`.
constexpr operation table[]{
    operates<&list>({
        .verb = "list",
        .method = http_method::get,
        .path = "/v1/proposals",
        .needs = scope::load,
        .summary = "Blocks that a second person confirms",
        .help = "List proposals",
        .shows = shown_columns,
    }),
    operates<&reject>({
        .verb = "reject",
        .method = http_method::post,
        .path = "/v1/proposals/{id}/reject",
        .needs = scope::load,
        .summary = "Give up a proposal",
        .help = "Load nothing of it",
        .shows = shown_columns,
    }),
    operates<&read>({
        .method = http_method::get,
        .path = "/v1/proposals/{id}",
        .needs = scope::load,
        .summary = "A proposal",
    }),
};

}  // namespace

result<proposal> find(
    pqxx::transaction_base& database,
    std::int32_t id,
    std::optional<std::vector<std::string>> const& series
)
{
    auto found = read_report(database, series, id, {}, 1);
    if (found.empty())
        return refusal{
            refusal_kind::not_found,
            fmt::format("there is no proposal {}; list them: gapless proposal list", id)};
    return std::move(found.front());
}

bool do_two_people_load(pqxx::transaction_base& database, std::string const& series)
{
    return query_value<bool>(
        database, "select gapless.two_people_load(gapless.space_of($1))", series
    );
}

std::int32_t make(
    pqxx::transaction_base& database,
    std::string const& series,
    std::vector<block_draft> const& drafts,
    std::string const& actor
)
{
    return query_value<std::int32_t>(
        database,
        "select gapless.proposal_make(p_series => $1, p_firsts => $2::bigint[], "
        "p_lasts => $3::bigint[], p_issued_untils => $4::bigint[], "
        "p_references => $5::text[], p_valid_untils => gapless.ends_of($6::text[]), p_actor => $7)",
        series,
        to_array(drafts, &block_draft::first),
        to_array(drafts, &block_draft::last),
        to_array(drafts, &block_draft::issued_until),
        to_array(drafts, &block_draft::reference),
        to_array(drafts, &block_draft::valid_until),
        actor
    );
}

confirmed_blocks confirm(
    pqxx::transaction_base& database, std::int32_t id, std::string const& actor
)
{
    confirmed_blocks done;
    auto const rows = query_rows(
        database,
        "select block_id, hits from gapless.proposal_confirm($1, $2) order by place",
        id,
        actor
    );
    for (auto const& row : rows)
        if (auto hit = optional_text(row["hits"]))
            done.hits.push_back(std::move(*hit));
        else
            done.block_ids.push_back(row["block_id"].as<std::int32_t>());
    return done;
}

std::vector<load_warning> read_warnings(pqxx::transaction_base& database, std::int32_t id)
{
    return select<load_warning>(
        database, "select code, detail from gapless.proposal_warnings($1)", id
    );
}

constinit feature const administration{
    "proposal", "Blocks that a second person has to confirm", table, "carriers"};

}  // namespace gapless::proposals
