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

/// Leases as the instance that draws on them asks for them. Every function runs inside the caller's
/// transaction, and blocks for one round trip. SQL's refusals leave through run_serializable and
/// its like (postgres/transaction.hpp). Refuses with forbidden where the secret is not the
/// instance's, with state_conflict where the incarnation is not the instance's any more: it is a
/// copy. What operators do with leases is in lease_operations.hpp.
namespace gapless {

/// What the database says to an instance that introduces itself.
struct lease_claim
{
    bool claimed{};              // false: it is a copy, and may settle only
    std::int32_t incarnation{};  // that the database knows
};

/// Introduces an instance; safe to repeat with the same claim. Incarnation 0: a new instance. One
/// with another secret than the database knows is a copy.
lease_claim claim_instance(
    pqxx::transaction_base& transaction,
    instance_identity const& who,
    lease_id const& claim,
    std::string const& host
);

/// A series that is to have a reserve, or a lease of this instance that is not at its end.
struct wanted_reserve
{
    std::int32_t series_id{};
    std::string series;
    std::optional<std::int64_t> reserve_numbers;  // none: it is to have none any more
    std::optional<lease_id> lease;                // none: this instance has none
    lease_status status{};                        // of the lease
    std::int64_t rest{};                          // of the lease: still held
    std::int64_t available{};                     // that a lease could have
    bool paused{};
    bool fenced{};
    bool low{};    // low water is reached: nothing is leased any more
    bool drill{};  // requests are to be answered from the reserve now, to practise
};

/// Reserves as they are wanted of this instance: several rows for a series with several leases.
std::vector<wanted_reserve> read_wanted_reserves(
    pqxx::transaction_base& transaction, instance_identity const& who
);

/// A lease that was granted.
struct lease_taking
{
    lease_grant grant;
    std::chrono::microseconds draw_for{};  // to draw_until, by the database's clock
};

/// Takes up to `count` numbers (1..lease_numbers_max) on lease; none: there is nothing to be had.
/// Safe to repeat with the same `lease`. Refuses with series_paused, fenced, out_of_range (low
/// water is reached), overloaded (no standby has what is committed).
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
    std::chrono::microseconds draw_for{};  // to draw_until, by the database's clock
    bool paused{};
    bool fenced{};
    std::int64_t rest{};
};

struct lease_contact
{
    database_time now;  // by the database's clock
    std::vector<renewed_lease> leases;
};

/// Says that the instance is there, and extends its open leases. Waits for nobody.
lease_contact renew_leases(
    pqxx::transaction_base& transaction,
    instance_identity const& who,
    std::chrono::milliseconds lease_time
);

enum class settle_outcome
{
    settled = 1,
    known,     // it was before
    twice,     // its key was spent, so it has one of its own now
    fenced,    // its numbers were not the lease's: the database issues nothing any more
    conflict,  // as fenced, and told before: verify finds it
};

struct settled_record
{
    settle_outcome outcome{};
    std::int32_t turn{};  // of its row in the ledger; 0: it has none
};

inline constexpr std::size_t settle_records_max = 1'000;

/// Writes answers that were drawn from a lease into the ledger -> what became of each, in the order
/// of `records`: at most settle_records_max. `who` settles, whatever its incarnation; none: an
/// operator does. Safe to repeat. Refuses with fenced, forbidden, not_found (no such lease).
std::vector<settled_record> settle_lease(
    pqxx::transaction_base& transaction,
    lease_id const& lease,
    std::optional<instance_identity> const& who,
    std::vector<lease_left> const& records
);

/// Gives back what is held of a lease -> how many numbers. Safe to repeat.
std::int64_t return_lease(
    pqxx::transaction_base& transaction, lease_id const& lease, instance_identity const& who
);

/// An instance that may have numbers on lease, or had lately.
struct lease_holder
{
    lease_id instance;
    database_time contact;
};

std::vector<lease_holder> read_lease_holders(
    pqxx::transaction_base& transaction, instance_identity const& who
);

/// The tokens that may issue, as of that moment: of too many those that are to be trusted.
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
/// "returned","answered_twice","tokens_revoked","in_doubt"}.
void note_settled(
    pqxx::transaction_base& transaction,
    instance_identity const& who,
    std::int32_t series_id,
    std::string const& data_json
);

/// Where the ledger has the answer that was drawn from a lease at that ordinal; none: it is not
/// settled, or there was none.
std::optional<issuance_id> find_drawn_issuance(
    pqxx::transaction_base& transaction, std::int32_t series_id, std::int64_t ordinal
);

/// The ids by which issuances of a series were answered, where `ids` say where they stand in the
/// ledger: the same, but for those drawn from a lease, which were answered before they had a turn.
/// Asks nothing where all are of the first turn, and never more than twice.
void name_as_answered(
    pqxx::transaction_base& transaction, std::int32_t series_id, std::span<issuance_id* const> ids
);

}  // namespace gapless
