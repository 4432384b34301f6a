#pragma once

#include "issuing/issuance_id.hpp"
#include "record/pqxx_fwd.hpp"
#include "reserve/lease.hpp"
#include "reserve/trusted_token.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Leases as the instance that draws on them uses them. Every function blocks for one round trip
/// inside the caller's transaction. SQL's refusals leave through run_serializable and its like
/// (postgres/transaction.hpp). Refuses with forbidden if the secret is not the instance's, with
/// state_conflict if the incarnation is no longer the instance's: it is a copy. Operators'
/// functions are in lease_operations.hpp.
namespace gapless {

/// The database's answer to an instance that introduces itself.
struct lease_claim
{
    bool claimed{};              // false: a copy, which may only settle
    std::int32_t incarnation{};  // as known to the database
};

/// Introduces an instance; safe to repeat with the same claim. Incarnation 0: a new instance. An
/// instance whose secret differs from the one the database knows is a copy.
lease_claim claim_instance(
    pqxx::transaction_base& transaction,
    instance_identity const& who,
    lease_id const& claim,
    std::string const& host
);

/// A series that should have a reserve, or a lease of this instance that has not ended.
struct wanted_reserve
{
    std::int32_t series_id{};
    std::string series;
    std::optional<std::int64_t> reserve_numbers;  // none: it should not have one any more
    std::optional<lease_id> lease;                // none: this instance has none
    lease_status status{};                        // of the lease
    std::int64_t rest{};                          // of the lease: still held
    std::int64_t available{};                     // for a lease
    bool paused{};
    bool fenced{};
    bool low{};    // low water is reached: no more leases
    bool drill{};  // answer from the reserve now, as practice
};

/// The reserves this instance should have: several rows for a series with several leases.
std::vector<wanted_reserve> read_wanted_reserves(
    pqxx::transaction_base& transaction, instance_identity const& who
);

/// A lease that was granted.
struct lease_taking
{
    lease_grant grant;
    std::chrono::microseconds draw_for{};  // until draw_until, by the database's clock
    database_time issued_at{};             // of its ledger row
};

/// Takes up to `count` numbers (1..lease_numbers_max) on lease; nullopt: none are available. Safe
/// to repeat with the same `lease`. Refuses with series_paused, fenced, out_of_range (low water is
/// reached), overloaded (no standby has what is committed).
std::optional<lease_taking> take_lease(
    pqxx::transaction_base& transaction,
    std::int32_t series_id,
    instance_identity const& who,
    lease_id const& lease,
    std::int64_t count,
    std::chrono::milliseconds lease_time
);

/// A lease of an instance, at its latest contact.
struct renewed_lease
{
    lease_id lease;
    std::int32_t series_id{};
    lease_status status{};
    std::chrono::microseconds draw_for{};  // until draw_until, by the database's clock
    bool paused{};
    bool fenced{};
    std::int64_t rest{};
};

struct lease_contact
{
    database_time now;  // by the database's clock
    std::vector<renewed_lease> leases;
};

/// Reports that the instance is alive, and extends its open leases. Waits only for a claim by it.
lease_contact renew_leases(
    pqxx::transaction_base& transaction,
    instance_identity const& who,
    std::chrono::milliseconds lease_time
);

enum class settle_outcome
{
    settled = 1,
    known,     // already settled
    twice,     // its key was spent, so it has a new one
    fenced,    // its numbers were not the lease's: the database stops issuing
    conflict,  // as fenced, but already reported: verify finds it
};

struct settled_record
{
    settle_outcome outcome{};
    std::int32_t turn{};  // of its ledger row; 0: it has none
};

inline constexpr std::size_t settle_records_max = 1'000;

/// Writes answers drawn from a lease, at most settle_records_max, into the ledger; returns the
/// result of each, in the order of `records`. `who` settles, whatever its incarnation; none: an
/// operator does. Safe to repeat. Refuses with fenced, forbidden, not_found (no such lease).
std::vector<settled_record> settle_lease(
    pqxx::transaction_base& transaction,
    lease_id const& lease,
    std::optional<instance_identity> const& who,
    std::vector<lease_left> const& records
);

/// Returns what a lease still holds; how many numbers that was. Safe to repeat.
std::int64_t return_lease(
    pqxx::transaction_base& transaction, lease_id const& lease, instance_identity const& who
);

/// An instance that may have numbers on lease, or recently had.
struct lease_holder
{
    lease_id instance;
    database_time contact;
};

std::vector<lease_holder> read_lease_holders(
    pqxx::transaction_base& transaction, instance_identity const& who
);

/// The tokens that may issue, as of `now`; if there are too many, those to trust.
struct lease_tokens
{
    database_time now;  // by the database's clock
    std::vector<trusted_token> tokens;
    std::size_t in_all{};
};

/// `used`: ids of tokens that were used here, the latest first.
lease_tokens read_lease_tokens(
    pqxx::transaction_base& transaction,
    instance_identity const& who,
    std::vector<std::int32_t> const& used
);

/// Leaves a notice of what was settled after an outage. `data_json`: {"instance","issued",
/// "since","returned","answered_twice","tokens_revoked","in_doubt"}.
void note_settled(
    pqxx::transaction_base& transaction,
    instance_identity const& who,
    std::int32_t series_id,
    std::string const& data_json
);

/// The ledger place of the answer drawn from a lease at that ordinal; nullopt: not settled, or
/// there was none.
std::optional<issuance_id> find_drawn_issuance(
    pqxx::transaction_base& transaction, std::int32_t series_id, std::int64_t ordinal
);

/// Replaces ids of issuances by those they were answered with: equal, except for numbers drawn from
/// a lease, answered before their turn was known. `ids` are places in the ledger. No query if all
/// are of the first turn, never more than two.
void name_as_answered(
    pqxx::transaction_base& transaction, std::int32_t series_id, std::span<issuance_id* const> ids
);

}  // namespace gapless
