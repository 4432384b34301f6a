#include "base/table_text.hpp"
#include "blocks/block_cases.hpp"
#include "blocks/block_store.hpp"
#include "blocks/operations.hpp"
#include "blocks/proposal_operations.hpp"
#include "formats/format_store.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <span>

namespace gapless::cases {

namespace {

/// How many blocks of a file one statement carries: enough to save round trips, few enough for a
/// progress bar that moves.
constexpr std::size_t blocks_at_a_time = 1'000;

/// The one warning that two loads can cause each other.
constexpr std::string_view elsewhere{"other-series"};

/// The block as it would be queued, for a dry run.
blocks::block to_preview(
    block_draft const& draft, block_place const& place, bound_format const& format
)
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
    block.valid_until = place.valid_until;
    block.position = place.position;
    block.cycle = place.cycle;
    block.first_serial = draft.first;
    block.last_serial = draft.last;
    block.dry_run.value = true;
    print_numbers(block, format);
    return block;
}

/// The refusal that names the lines of a file, or the typed block, and the loaded blocks they
/// overlap. `from`: the index of the first draft.
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
        auto const overlap = fmt::format(
            "{}…{} overlaps {}",
            format.to_number(draft.first),
            format.to_number(draft.last),
            hit.blocks
        );
        if (wanted.lines.empty())
            return {refusal_kind::block_overlap, "block " + overlap};
        why.faults.push_back({wanted.lines.at(from + hit.place), wanted.column, "first: " + overlap}
        );
    }
    why.detail = to_text(why.faults.front(), "the file") + "; nothing was loaded";
    return why;
}

/// Refuses lines of a file whose blocks would end before they begin.
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

/// Checks the carrier's counts; needed here as well because a proposal keeps no count.
std::optional<refusal> find_miscounted(
    pqxx::transaction_base& transaction, load_blocks const& wanted
)
{
    for (auto const& draft : wanted.drafts)
    {
        if (!draft.count || draft.last < draft.first)
            continue;
        auto const size = static_cast<std::uint64_t>(draft.last - draft.first) + 1;
        if (std::to_string(size) == *draft.count)
            continue;
        auto const format = read_series_settings(transaction, wanted.series).at(0).format;
        return refusal{
            refusal_kind::out_of_range,
            fmt::format(
                "block {}…{} holds {} numbers, both ends included, not {}",
                format.to_number(draft.first),
                format.to_number(draft.last),
                size,
                *draft.count
            )};
    }
    return std::nullopt;
}

/// Loads the blocks of a file in batches.
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
    return blocks::read_last(transaction, wanted.series, all.size());
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

/// What a load would queue, or its refusal; in batches, like the load.
result<std::vector<blocks::block>> preview(
    load_blocks const& wanted, pqxx::transaction_base& transaction, std::string const& actor
)
{
    auto const format = read_series_settings(transaction, wanted.series).at(0).format;
    std::span<block_draft const> const all{wanted.drafts};
    std::vector<blocks::block> queued;
    for (std::size_t at = 0; at < all.size(); at += blocks_at_a_time)
    {
        if (wanted.tick)
            wanted.tick(at);
        auto const part = all.subspan(at, std::min(blocks_at_a_time, all.size() - at));
        auto const told = preview_blocks(transaction, wanted.series, part, actor);
        if (!told.hits.empty())
            return to_refusal(transaction, wanted, at, told.hits);
        for (std::size_t n = 0; n < part.size(); ++n)
        {
            auto place = told.places.at(n);
            place.position += static_cast<std::int32_t>(at);
            queued.push_back(to_preview(part[n], place, format));
        }
    }
    return queued;
}

/// The unconfirmed warnings as a refusal; nullopt: all were confirmed.
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
    auto const is_file = !lines.empty();
    if (!dry_run)
        lock_for_load(transaction, series, /*alone=*/!is_file && !one_of_many, actor);
    auto const before = is_file ? count_blocks(transaction) : 0;
    auto const two_people = proposals::do_two_people_load(transaction, series);
    if (auto why = find_miscounted(transaction, *this))
        return std::move(*why);
    if (!lines.empty())
        if (auto why = find_late(transaction, *this))
            return std::move(*why);
    loaded_blocks done;
    done.warnings = warnings;
    std::ranges::move(
        read_block_warnings(transaction, series, drafts), std::back_inserter(done.warnings)
    );
    auto unconfirmed = find_unconfirmed(*this, done.warnings);
    // Does not draw ids for blocks that are not loaded: block ids have no gaps.
    if (dry_run || unconfirmed)
    {
        auto queued = preview(*this, transaction, actor);
        // Does not ask about warnings if the load is impossible anyway.
        if (queued.has_error())
            return queued.error();
        if (!dry_run)
            return std::move(*unconfirmed);
        done.blocks = std::move(*queued);
        done.two_people = two_people;
        if (two_people)
            for (auto& block : done.blocks)
                block.position.reset();
        return done;
    }
    if (two_people)
    {
        // Making a proposal names the block that overlaps, not its line of the file.
        if (is_file)
            if (auto queued = preview(*this, transaction, actor); queued.has_error())
                return queued.error();
        auto const id = proposals::make(transaction, series, drafts, actor);
        done.proposal = proposals::find(transaction, id).value();
        return done;
    }
    auto queued = load(*this, transaction, actor);
    if (queued.has_error())
        return queued.error();
    auto const expected = before + static_cast<std::int64_t>(drafts.size());
    if (is_file && others_loaded(transaction, actor, expected))
        if (auto why = look_again(transaction, done.warnings))
            return std::move(*why);
    done.blocks = std::move(*queued);
    return done;
}

bool load_blocks::others_loaded(
    pqxx::transaction_base& transaction, std::string const& actor, std::int64_t expected
) const
{
    if (std::ranges::find(confirmed, elsewhere) != confirmed.end())
        return false;
    lock_for_load(transaction, series, /*alone=*/true, actor);
    return count_blocks(transaction) != expected;
}

std::optional<refusal> load_blocks::look_again(
    pqxx::transaction_base& transaction, std::vector<load_warning> known
) const
{
    for (auto& each : read_block_warnings(transaction, series, drafts))
        if (each.code == elsewhere)
            known.push_back(std::move(each));
    return find_unconfirmed(*this, known);
}

result<proposals::proposal> read_proposal::run(pqxx::transaction_base& transaction) const
{
    return proposals::find(transaction, id, series);
}

result<loaded_blocks> confirm_proposal::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    if (auto const proposed = proposals::find(transaction, id))
        lock_for_load(transaction, proposed->series, /*alone=*/true, actor);
    auto warnings = proposals::read_warnings(transaction, id);
    auto const done = proposals::confirm(transaction, id, actor);
    if (!done.hits.empty())
        return refusal{
            refusal_kind::block_overlap,
            fmt::format("a block of proposal {} overlaps {}", id, done.hits.front())};
    auto const count = done.block_ids.size();
    auto loaded = blocks::read_all(transaction, std::nullopt, done.block_ids.at(0));
    if (count > 1)
        loaded = blocks::read_last(transaction, loaded.at(0).series, count);
    return loaded_blocks{.blocks = std::move(loaded), .warnings = std::move(warnings)};
}

}  // namespace gapless::cases
