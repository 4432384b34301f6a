#pragma once

#include "domain/records.hpp"
#include "store/pqxx_fwd.hpp"

#include <optional>
#include <string>
#include <vector>

/// Blocks that wait for a second person. Every function runs inside the caller's
/// transaction and blocks for one round trip. SQL's refusals leave through run_serializable and
/// run_read (transaction.hpp).
namespace gapless {

/// Whether blocks of this number space are loaded by two people: one proposes, another one
/// confirms.
bool do_two_people_load(pqxx::transaction_base& transaction, std::string const& space);

/// Which proposals are wanted; empty: any.
struct proposal_page
{
    std::optional<std::vector<std::string>> series{};
    std::optional<std::int32_t> id{};
    std::optional<std::int32_t> after{};  // those with higher ids
    std::int32_t limit{1'000};
};

/// Proposals by id.
std::vector<proposal_record> read_proposals(
    pqxx::transaction_base& transaction, proposal_page const& page
);

/// Notes blocks of one series that somebody else has to confirm; returns the proposal's id. Refuses
/// as load_block does.
std::int32_t make_proposal(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::vector<block_draft> const& drafts,
    std::string const& actor
);

/// What became of a proposal that was confirmed: blocks, or what they hit by now.
struct confirmed_blocks
{
    std::vector<std::int32_t> block_ids;
    std::vector<std::string> hits;  // in words; not empty: nothing was loaded
};

/// Loads what somebody else proposed. Refuses with not_found, forbidden (one's own),
/// state_conflict, and as load_block does.
confirmed_blocks confirm_proposal(
    pqxx::transaction_base& transaction, std::int32_t proposal_id, std::string const& actor
);

/// Refuses with not_found, state_conflict.
void reject_proposal(
    pqxx::transaction_base& transaction, std::int32_t proposal_id, std::string const& actor
);

}  // namespace gapless
