#include "cases/blocks.hpp"
#include "csv/table_text.hpp"
#include "store/block_store.hpp"
#include "store/carrier_store.hpp"
#include "store/format_store.hpp"
#include "store/series_store.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

namespace gapless::cases {

namespace {

/// How many blocks of a file travel in one statement: enough to save round trips, few enough for a
/// bar that moves.
constexpr std::size_t blocks_at_a_time = 1'000;

/// As it would be queued, for who only asks.
block_record to_preview(block_draft const& draft)
{
    block_record block;
    block.series = draft.series;
    block.first = draft.first;
    block.last = draft.last;
    block.count = draft.last - draft.first + 1;
    if (draft.issued_until)
        block.elsewhere = *draft.issued_until - draft.first + 1;
    block.remaining = block.count - block.elsewhere;
    block.next = draft.first + block.elsewhere;
    block.state = "queued";
    block.reference = draft.reference;
    block.valid_until = draft.valid_until;
    return block;
}

/// Which lines of a file hit which loaded blocks. `from`: the draft that has the first place.
refusal to_refusal(
    pqxx::transaction_base& transaction,
    load_blocks const& wanted,
    std::size_t from,
    std::vector<block_hit> const& hits
)
{
    auto const format = read_series_settings(transaction, wanted.series).at(0).format;
    refusal why{refusal_kind::block_overlap, {}};
    for (auto const& hit : hits)
    {
        auto const& draft = wanted.drafts.at(from + hit.place);
        why.faults.push_back(
            {wanted.lines.at(from + hit.place),
             wanted.column,
             fmt::format(
                 "first: {}…{} overlaps {}",
                 format.to_number(draft.first),
                 format.to_number(draft.last),
                 hit.blocks
             )}
        );
    }
    why.detail = to_text(why.faults.front(), "the file") + "; nothing was loaded";
    return why;
}

/// The lines of a file whose blocks would be over before they begin.
std::optional<refusal> find_late(pqxx::transaction_base& transaction, load_blocks const& wanted)
{
    constexpr std::size_t faults_max = 20;
    refusal why{refusal_kind::out_of_range, {}};
    for (auto const place : find_late_blocks(transaction, wanted.drafts))
        if (why.faults.size() < faults_max)
            why.faults.push_back(
                {wanted.lines.at(place),
                 wanted.validity_column,
                 "valid_until: the block would be over before it begins"}
            );
    if (why.faults.empty())
        return std::nullopt;
    why.detail = to_text(why.faults.front(), "the file") + "; nothing was loaded";
    return why;
}

/// What the carrier says it holds; asked here as well because a proposal keeps no count.
std::optional<refusal> find_miscounted(load_blocks const& wanted)
{
    for (auto const& draft : wanted.drafts)
    {
        if (!draft.count || draft.last < draft.first)
            continue;
        auto const size = static_cast<std::uint64_t>(draft.last - draft.first) + 1;
        if (std::to_string(size) != *draft.count)
            return refusal{
                refusal_kind::out_of_range,
                fmt::format(
                    "block {}…{} holds {} numbers, both ends included, not {}",
                    draft.first,
                    draft.last,
                    size,
                    *draft.count
                )};
    }
    return std::nullopt;
}

/// Loads the blocks of a file, many at a time.
result<std::vector<block_record>> load_lines(
    load_blocks const& wanted, pqxx::transaction_base& transaction, std::string const& actor
)
{
    std::span<block_draft const> const all{wanted.drafts};
    for (std::size_t at = 0; at < all.size(); at += blocks_at_a_time)
    {
        if (wanted.tick)
            wanted.tick(at);
        auto const part = all.subspan(at, std::min(blocks_at_a_time, all.size() - at));
        auto const hits = gapless::load_blocks(transaction, wanted.series, part, actor);
        if (!hits.empty())
            return to_refusal(transaction, wanted, at, hits);
    }
    // The space is locked since, so the last blocks of the queue are these.
    auto queue = read_blocks(transaction, wanted.series);
    queue.erase(queue.begin(), queue.end() - static_cast<std::ptrdiff_t>(all.size()));
    return queue;
}

result<std::vector<block_record>> load(
    load_blocks const& wanted, pqxx::transaction_base& transaction, std::string const& actor
)
{
    if (wanted.lines.empty())
        return std::vector{load_block(transaction, wanted.drafts.front(), actor)};
    return load_lines(wanted, transaction, actor);
}

result<std::vector<block_record>> propose(
    load_blocks const& wanted,
    pqxx::transaction_base& transaction,
    std::string const& actor,
    std::optional<proposal_record>& proposal
)
{
    auto const id = make_proposal(transaction, wanted.series, wanted.drafts, actor);
    std::vector<block_record> blocks;
    if (wanted.dry_run)
        std::ranges::transform(wanted.drafts, std::back_inserter(blocks), to_preview);
    else
        proposal = read_proposals(transaction, {.id = id}).at(0);
    return blocks;
}

/// The warnings that were not confirmed, as a refusal; none: all were.
std::optional<refusal> find_unconfirmed(
    load_blocks const& wanted, std::vector<load_warning> const& warnings
)
{
    std::vector<std::string> details;
    for (auto const& warning : warnings)
        if (std::ranges::find(wanted.confirmed, warning.code) == wanted.confirmed.end())
            details.push_back(warning.code + ": " + warning.detail);
    if (details.empty())
        return std::nullopt;
    return refusal{
        .kind = refusal_kind::confirmation_needed,
        .detail = fmt::format("Nothing was loaded. {}.", fmt::join(details, "; ")),
        .warnings = warnings};
}

}  // namespace

result<loaded_blocks> load_blocks::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    auto const known = read_one_series(transaction, series);
    if (known.has_error())
        return known.error();
    if (auto why = find_miscounted(*this))
        return std::move(*why);
    if (!lines.empty())
        if (auto why = find_late(transaction, *this))
            return std::move(*why);
    loaded_blocks done;
    done.warnings = read_block_warnings(transaction, series, drafts);
    auto blocks = do_two_people_load(transaction, known->space)
                      ? propose(*this, transaction, actor, done.proposal)
                      : load(*this, transaction, actor);
    if (blocks.has_error())
        return blocks.error();
    // Asked last: what can never be loaded is not worth a question.
    if (!dry_run)
        if (auto why = find_unconfirmed(*this, done.warnings))
            return std::move(*why);
    done.blocks = std::move(*blocks);
    if (dry_run)
        for (auto& block : done.blocks)
            block.block_id = 0;
    return done;
}

}  // namespace gapless::cases
