#include "cases/blocks.hpp"

#include "store/block_store.hpp"
#include "store/series_store.hpp"

#include <fmt/format.h>

namespace gapless::cases {

result<std::vector<block_record>> list_blocks::run(pqxx::transaction_base& transaction) const
{
    if (series)
        if (auto const known = read_one_series(transaction, *series); known.has_error())
            return known.error();
    return read_blocks(transaction, series);
}

result<block_record> read_block::run(pqxx::transaction_base& transaction) const
{
    if (block.series)
        if (auto const known = read_one_series(transaction, *block.series); known.has_error())
            return known.error();
    auto found = read_blocks(transaction, block.series, block.id);
    if (found.empty())
        return refusal{
            refusal_kind::not_found,
            block.series ? fmt::format("series '{}' has no block {}", *block.series, block.id)
                         : fmt::format("there is no block {}", block.id)};
    return std::move(found.front());
}

result<std::vector<load_warning>> list_warnings::run(pqxx::transaction_base& transaction) const
{
    return read_block_warnings(transaction, series, drafts);
}

result<block_record> move_block::run(pqxx::transaction_base& transaction, std::string const& actor)
    const
{
    read_block const again{block};
    if (auto found = again.run(transaction); found.has_error())
        return found;
    gapless::move_block(transaction, block.id, before, actor);
    return again.run(transaction);
}

result<closed_block> close_block::run(pqxx::transaction_base& transaction, std::string const& actor)
    const
{
    read_block const again{block};
    if (auto const found = again.run(transaction); found.has_error())
        return found.error();
    auto const never_issued = gapless::close_block(transaction, block.id, reason, actor);
    auto now = again.run(transaction);
    if (now.has_error())
        return now.error();
    return closed_block{std::move(*now), never_issued};
}

result<block_record> withdraw_block::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    read_block const again{block};
    if (auto found = again.run(transaction); found.has_error())
        return found;
    gapless::withdraw_block(transaction, block.id, reason, actor);
    return again.run(transaction);
}

result<block_record> recall_block::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    read_block const again{block};
    if (auto found = again.run(transaction); found.has_error())
        return found;
    gapless::recall_block(transaction, block.id, reason, actor);
    return again.run(transaction);
}

}  // namespace gapless::cases
