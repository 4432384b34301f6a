#pragma once

#include "domain/records.hpp"
#include "domain/refusal.hpp"
#include "store/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Use cases of carriers, and of blocks that two people load; see cases/series.hpp.
namespace gapless::cases {

struct list_carriers
{
    using answer = std::vector<carrier_record>;        // by code
    std::optional<std::vector<std::string>> series{};  // those that have one of these; none: all

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Refuses with not_found.
struct read_carrier
{
    using answer = carrier_record;
    std::string code;
    std::optional<std::vector<std::string>> series{};  // it has to have one of these; none: any

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// The answer is the carrier as it is then: switching four eyes off takes two people, so they are
/// still on after the first one's wish. Refuses with not_found, out_of_range, forbidden.
struct change_carrier
{
    using answer = carrier_record;
    std::string code;
    carrier_change change;

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

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
