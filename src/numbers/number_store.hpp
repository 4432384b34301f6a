#pragma once

#include "issuing/issuance_id.hpp"
#include "ledger/ledger_row.hpp"
#include "record/pqxx_fwd.hpp"

#include <string>
#include <vector>

/// What happens to issued numbers. Every function runs inside the caller's transaction.
namespace gapless {

/// Confirms or releases runs of serials of a hold, or (none given) all that is still held;
/// repeatable. Returns how many numbers were settled now. Refuses with unknown_issuance,
/// hold_expired, issuance_settled, state_conflict, unknown_number.
std::int64_t settle_hold(
    pqxx::transaction_base& transaction,
    issuance_id const& id,
    std::vector<serial_range> const& ranges,
    settlement what,
    std::string const& actor
);

/// The result of a sweep.
struct swept
{
    std::int32_t holds{};
    std::int32_t blocks{};
};

/// Ends holds, at most so many, and blocks that have expired; returns how many of each. Call it at
/// READ COMMITTED.
swept sweep_expired(pqxx::transaction_base& transaction, std::int32_t holds_max);

}  // namespace gapless
