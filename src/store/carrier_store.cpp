#include "store/carrier_store.hpp"

#include "store/columns.hpp"
#include "store/draft_arrays.hpp"
#include "store/query.hpp"

namespace gapless {

namespace {

proposal_record to_proposal(pqxx::row const& row)
{
    proposal_record proposal;
    proposal.proposal_id = row["proposal_id"].as<std::int32_t>();
    proposal.state = row["state"].as<std::string>();
    proposal.series = row["series"].as<std::string>();
    proposal.proposed_by = row["proposed_by"].as<std::string>();
    proposal.proposed_at = to_time(row["proposed_at"]);
    proposal.expires_at = to_time(row["expires_at"]);
    proposal.settled_by = optional_text(row["settled_by"]);
    proposal.settled_at = optional_time(row["settled_at"]);
    return proposal;
}

block_draft to_draft(pqxx::row const& row)
{
    return {
        .series = row["series"].as<std::string>(),
        .first = row["first"].as<std::int64_t>(),
        .last = row["last"].as<std::int64_t>(),
        .count = std::nullopt,
        .reference = optional_text(row["reference"]),
        .valid_until = optional_time(row["valid_until"]),
        .issued_until = optional_number(row["issued_until"])};
}

}  // namespace

bool do_two_people_load(pqxx::transaction_base& transaction, std::string const& space)
{
    return query_value<bool>(transaction, "select gapless.two_people_load($1)", space);
}

std::vector<proposal_record> read_proposals(
    pqxx::transaction_base& transaction, proposal_page const& page
)
{
    auto const rows = query_rows(
        transaction,
        "select proposal_id, state, series, proposed_by, settled_by, first, last, issued_until, "
        "reference,"
        " (extract(epoch from proposed_at) * 1000000)::bigint as proposed_at,"
        " (extract(epoch from expires_at) * 1000000)::bigint as expires_at,"
        " (extract(epoch from settled_at) * 1000000)::bigint as settled_at,"
        " (extract(epoch from valid_until) * 1000000)::bigint as valid_until "
        "from gapless.proposal_report(p_series => $1::text[], p_proposal_id => $2, "
        "p_after => $3, p_limit => $4)",
        to_array_or_null(page.series),
        page.id,
        page.after,
        page.limit
    );
    std::vector<proposal_record> all;
    for (auto const& row : rows)
    {
        if (all.empty() || all.back().proposal_id != row["proposal_id"].as<std::int32_t>())
            all.push_back(to_proposal(row));
        all.back().blocks.push_back(to_draft(row));
    }
    return all;
}

std::int32_t make_proposal(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::vector<block_draft> const& drafts,
    std::string const& actor
)
{
    auto const blocks = to_arrays(drafts);
    return query_value<std::int32_t>(
        transaction,
        "select gapless.proposal_make(p_series => $1, p_firsts => $2::bigint[], "
        "p_lasts => $3::bigint[], p_issued_untils => $4::bigint[], "
        "p_references => $5::text[], p_valid_untils => $6::timestamptz[], p_actor => $7)",
        series,
        blocks.firsts,
        blocks.lasts,
        blocks.issued_untils,
        blocks.references,
        blocks.valid_untils,
        actor
    );
}

confirmed_blocks confirm_proposal(
    pqxx::transaction_base& transaction, std::int32_t proposal_id, std::string const& actor
)
{
    confirmed_blocks done;
    auto const rows = query_rows(
        transaction,
        "select block_id, hits from gapless.proposal_confirm($1, $2) order by place",
        proposal_id,
        actor
    );
    for (auto const& row : rows)
        if (auto hit = optional_text(row["hits"]))
            done.hits.push_back(std::move(*hit));
        else
            done.block_ids.push_back(row["block_id"].as<std::int32_t>());
    return done;
}

void reject_proposal(
    pqxx::transaction_base& transaction, std::int32_t proposal_id, std::string const& actor
)
{
    execute(transaction, "select gapless.proposal_reject($1, $2)", proposal_id, actor);
}

}  // namespace gapless
