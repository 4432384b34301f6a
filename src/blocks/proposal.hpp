#pragma once

#include "formats/series_number.hpp"
#include "record/describe.hpp"
#include "record/page.hpp"
#include "record/refusal_records.hpp"
#include "record/types.hpp"

#include <optional>
#include <string>
#include <vector>

/// Records of proposals.
namespace gapless::proposals {

/// A block as it would be loaded.
struct proposed_block
{
    series_number first;
    series_number last;
    std::int64_t count{};
    std::optional<std::string> reference;
    std::optional<database_time> valid_until;
    std::optional<series_number> issued_until;
};
GAPLESS_RECORD(
    proposed_block,
    (),
    (first, "Its first number."),
    (last, "Its last number."),
    (count, "How many numbers it holds."),
    (reference, "The carrier's letter, order or contract."),
    (valid_until, "Until when its numbers may be issued."),
    (issued_until, "Numbers from the first up to this one were issued elsewhere.")
)

/// Blocks that one person proposed to load, and another one has to confirm.
struct proposal
{
    record_id id;
    std::string state;
    std::string series;
    std::vector<proposed_block> blocks;
    std::string proposed_by;
    database_time proposed_at;
    database_time expires_at;
    std::optional<std::string> settled_by;
    std::optional<database_time> settled_at;
    given<std::vector<load_warning>> warnings;
};
GAPLESS_RECORD(
    proposal,
    (),
    (id, "Id of the proposal."),
    (state, "proposed, confirmed, rejected or expired."),
    (series, "Name of the series."),
    (blocks, "What would be loaded."),
    (proposed_by, "Who proposed it."),
    (proposed_at, "When it was proposed."),
    (expires_at, "Seven days after it was proposed."),
    (settled_by, "Who confirmed or rejected it."),
    (settled_at, "When it was confirmed or rejected."),
    (warnings,
     "What a person has to look at before it is loaded. Only of a load, and of one open proposal.")
)

enum class proposal_state
{
    proposed = 1,
    confirmed,
    rejected,
    expired,
};
BOOST_DESCRIBE_ENUM(proposal_state, proposed, confirmed, rejected, expired)

/// Which proposals to list.
struct proposal_page : page
{
    std::optional<proposal_state> state;
};
GAPLESS_RECORD(
    proposal_page, (page), (state, "Those in this state: proposed, confirmed, rejected or expired.")
)

struct proposal_id
{
    record_id id;
};
GAPLESS_RECORD(proposal_id, (), (id, "Id of the proposal."))

/// The columns that people see of a proposal.
inline constexpr auto shown_columns = chosen_columns<
    &proposal::id,
    &proposal::state,
    &proposal::series,
    &proposal::proposed_by,
    &proposal::expires_at,
    &proposal::settled_by,
    &proposal::blocks>;

}  // namespace gapless::proposals
