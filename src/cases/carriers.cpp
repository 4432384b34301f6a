#include "cases/carriers.hpp"

#include "store/block_store.hpp"
#include "store/carrier_store.hpp"

#include <fmt/format.h>

namespace gapless::cases {

result<std::vector<proposal_record>> list_proposals::run(pqxx::transaction_base& transaction) const
{
    return read_proposals(transaction, {.series = series, .after = after, .limit = limit});
}

result<proposal_record> read_proposal::run(pqxx::transaction_base& transaction) const
{
    auto found = read_proposals(transaction, {.series = series, .id = id});
    if (found.empty())
        return refusal{refusal_kind::not_found, fmt::format("there is no proposal {}", id)};
    return std::move(found.front());
}

result<std::vector<block_record>> confirm_proposal::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    auto const done = gapless::confirm_proposal(transaction, id, actor);
    if (!done.hits.empty())
        return refusal{
            refusal_kind::block_overlap,
            fmt::format("a block of proposal {} overlaps {}", id, done.hits.front())};
    std::vector<block_record> blocks;
    for (auto const block : done.block_ids)
        blocks.push_back(read_blocks(transaction, std::nullopt, block).at(0));
    return blocks;
}

result<proposal_record> reject_proposal::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    gapless::reject_proposal(transaction, id, actor);
    return read_proposal{id}.run(transaction);
}

}  // namespace gapless::cases
