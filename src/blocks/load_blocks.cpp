#include "base/table_text.hpp"
#include "blocks/block_cases.hpp"
#include "blocks/block_store.hpp"
#include "blocks/operations.hpp"
#include "blocks/proposal_operations.hpp"
#include "formats/format_store.hpp"
#include "series/operations.hpp"

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
blocks::block to_preview(block_draft const& draft)
{
    blocks::block block;
    block.series = draft.series;
    block.first.serial = draft.first;
    block.last.serial = draft.last;
    block.count = draft.last - draft.first + 1;
    if (draft.issued_until)
        block.elsewhere = *draft.issued_until - draft.first + 1;
    block.remaining = block.count - block.elsewhere;
    block.next.emplace().serial = draft.first + block.elsewhere;
    block.state = "queued";
    block.reference = draft.reference;
    block.first_serial = draft.first;
    block.last_serial = draft.last;
    return block;
}

/// Of a dry run: nobody has loaded it.
void unload(blocks::block& block)
{
    block.id.reset();
    block.loaded_by.reset();
    block.loaded_at.reset();
    block.dry_run.value = true;
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

/// The blocks that were just loaded into a series: its space is locked since, so they are the last
/// ones of the queue.
std::vector<blocks::block> read_end_of_queue(
    pqxx::transaction_base& transaction, std::string const& series, std::size_t count
)
{
    return blocks::read_last(transaction, series, count);
}

/// Loads the blocks of a file, many at a time.
result<std::vector<blocks::block>> load_lines(
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
    return read_end_of_queue(transaction, wanted.series, all.size());
}

result<std::vector<blocks::block>> load(
    load_blocks const& wanted, pqxx::transaction_base& transaction, std::string const& actor
)
{
    if (!wanted.lines.empty())
        return load_lines(wanted, transaction, actor);
    auto const id = load_block(transaction, wanted.drafts.front(), actor);
    return blocks::read_all(transaction, wanted.series, id);
}

result<std::vector<blocks::block>> propose(
    load_blocks const& wanted,
    pqxx::transaction_base& transaction,
    std::string const& actor,
    std::optional<proposals::proposal>& proposal
)
{
    auto const id = proposals::make(transaction, wanted.series, wanted.drafts, actor);
    std::vector<blocks::block> previews;
    if (!wanted.dry_run)
    {
        proposal = proposals::find(transaction, id).value();
        return previews;
    }
    auto const format = read_series_settings(transaction, wanted.series).at(0).format;
    auto const ends = read_ends(transaction, wanted.drafts);
    for (std::size_t n = 0; n < ends.size(); ++n)
    {
        auto& preview = previews.emplace_back(to_preview(wanted.drafts[n]));
        preview.valid_until = ends[n];
        print_numbers(preview, format);
    }
    return previews;
}

/// What a person should look at; that ends were completed comes first.
std::vector<load_warning> find_warnings(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::vector<block_draft> const& drafts
)
{
    auto warnings = read_block_warnings(transaction, series, drafts);
    auto const is_completed = [](auto const& draft) { return !draft.completed.empty(); };
    auto const first = std::ranges::find_if(drafts, is_completed);
    if (first == drafts.end())
        return warnings;
    auto const others = std::ranges::count_if(drafts, is_completed) - 1;
    warnings.insert(
        warnings.begin(),
        {"completed",
         first->completed + (others == 0 ? "" : fmt::format("; so are {} more blocks", others))}
    );
    return warnings;
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

result<std::vector<load_warning>> list_warnings::run(pqxx::transaction_base& transaction) const
{
    return find_warnings(transaction, series, drafts);
}

result<loaded_blocks> load_blocks::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    auto const known = series::find(transaction, series);
    if (known.has_error())
        return known.error();
    if (auto why = find_miscounted(*this))
        return std::move(*why);
    if (!lines.empty())
        if (auto why = find_late(transaction, *this))
            return std::move(*why);
    loaded_blocks done;
    done.warnings = find_warnings(transaction, series, drafts);
    auto queued = proposals::do_two_people_load(transaction, known->space)
                      ? propose(*this, transaction, actor, done.proposal)
                      : load(*this, transaction, actor);
    if (queued.has_error())
        return queued.error();
    // Asked last: what can never be loaded is not worth a question.
    if (!dry_run)
        if (auto why = find_unconfirmed(*this, done.warnings))
            return std::move(*why);
    done.blocks = std::move(*queued);
    if (dry_run)
        std::ranges::for_each(done.blocks, unload);
    return done;
}

result<proposals::proposal> read_proposal::run(pqxx::transaction_base& transaction) const
{
    auto found = proposals::find(transaction, id, series);
    if (!found)
        return refusal{refusal_kind::not_found, fmt::format("there is no proposal {}", id)};
    return std::move(*found);
}

result<std::vector<blocks::block>> confirm_proposal::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    auto const done = proposals::confirm(transaction, id, actor);
    if (!done.hits.empty())
        return refusal{
            refusal_kind::block_overlap,
            fmt::format("a block of proposal {} overlaps {}", id, done.hits.front())};
    auto const count = done.block_ids.size();
    auto loaded = blocks::read_all(transaction, std::nullopt, done.block_ids.at(0));
    return count == 1 ? loaded : read_end_of_queue(transaction, loaded.at(0).series, count);
}

}  // namespace gapless::cases
