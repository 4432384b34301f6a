#pragma once

#include "base/refusal.hpp"
#include "blocks/block_draft.hpp"
#include "blocks/proposal.hpp"
#include "record/operation.hpp"

#include <optional>
#include <string>
#include <vector>

/// Blocks that wait for a second person. Each function blocks for a round trip or two inside the
/// caller's transaction. SQL's refusals leave through run_serializable and its like
/// (postgres/transaction.hpp).
namespace gapless::proposals {

/// Queries of proposals, and rejecting them. Hand-written code makes and confirms them, since the
/// answers are those of a load: blocks/block_cases.hpp.
extern feature const administration;

/// The proposal of that id. Refuses with not_found, also one of other series than these (none: of
/// any).
result<proposal> find(
    pqxx::transaction_base& database,
    std::int32_t id,
    std::optional<std::vector<std::string>> const& series = {}
);

/// Whether blocks of the number space of this series are loaded by two people: one proposes,
/// another one confirms. Throws what pqxx throws for a series that does not exist.
bool do_two_people_load(pqxx::transaction_base& database, std::string const& series);

/// Records blocks of one series for another person to confirm; returns the proposal's id. Refuses
/// like load_block.
std::int32_t make(
    pqxx::transaction_base& database,
    std::string const& series,
    std::vector<block_draft> const& drafts,
    std::string const& actor
);

/// The result of confirming a proposal: its blocks, or what they overlap by now.
struct confirmed_blocks
{
    std::vector<std::int32_t> block_ids;
    std::vector<std::string> hits;  // in words; not empty: nothing was loaded
};

/// Loads what another person proposed. Refuses with not_found, forbidden (one's own),
/// state_conflict, and like load_block.
confirmed_blocks confirm(
    pqxx::transaction_base& database, std::int32_t id, std::string const& actor
);

/// What the person who confirms should check. Refuses with forbidden.
std::vector<load_warning> read_warnings(pqxx::transaction_base& database, std::int32_t id);

}  // namespace gapless::proposals
