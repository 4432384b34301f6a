#pragma once

#include "domain/records.hpp"
#include "domain/refusal.hpp"
#include "store/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Use cases of blocks that two people load; see cases/series.hpp.
namespace gapless::cases {

struct list_proposals
{
    using answer = std::vector<proposal_record>;       // by id
    std::optional<std::vector<std::string>> series{};  // none: of every series
    std::optional<std::int32_t> after{};               // those with higher ids
    std::int32_t limit{1'000};

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Refuses with not_found, also for one of other series than those.
struct read_proposal
{
    using answer = proposal_record;
    std::int32_t id{};
    std::optional<std::vector<std::string>> series{};  // none: every series

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Loads what somebody else proposed. Refuses with not_found, forbidden (one's own),
/// state_conflict (settled or expired), block_overlap, out_of_range.
struct confirm_proposal
{
    using answer = std::vector<block_record>;  // as queued
    std::int32_t id{};

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

/// Refuses with not_found, state_conflict (settled or expired).
struct reject_proposal
{
    using answer = proposal_record;
    std::int32_t id{};

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

}  // namespace gapless::cases
