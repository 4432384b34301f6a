#pragma once

#include "base/idempotency_key.hpp"
#include "formats/series_entry.hpp"
#include "issuing/issuance_id.hpp"
#include "ledger/ledger_row.hpp"
#include "numbers/issuance_store.hpp"
#include "numbers/number.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// Use cases of issued numbers; see formats/find_series.hpp.
namespace gapless::cases {

/// Refuses with unknown_issuance.
struct read_issuance
{
    using answer = issuance_record;
    issuance_id id;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Whether an issuance of this owner has this key.
struct find_spent_key
{
    using answer = bool;
    std::int32_t owner_id{};
    idempotency_key key;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// The state of a whole number of a series, for its label. Refuses like numbers::read(), and with
/// out_of_range a number that is not whole.
struct look_up_number
{
    using answer = numbers::number_record;
    series_entry const* series{};  // must outlive the case
    std::string number;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// A hold after some of its numbers were settled.
struct settled_hold
{
    issuance_record issuance;
    std::int64_t settled{};  // numbers settled now
};

/// Confirms or releases runs of serials of a hold, or (none given) all that is still held.
/// Repeatable. Refuses with unknown_issuance, state_conflict, unknown_number; issuance_settled if
/// all are to be confirmed and none is left; hold_expired if all are to be released and expired.
struct settle_hold
{
    using answer = settled_hold;
    issuance_id id;
    std::vector<serial_range> ranges;
    settlement what{};

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;

    /// The answer to a repeated key: the issuance's current state.
    result<answer> repeat(pqxx::transaction_base& transaction) const;
};

/// How many holds and blocks expired.
struct swept
{
    std::int32_t holds{};
    std::int32_t blocks{};
};

/// Ends holds, at most so many, and blocks that have expired. Call it at READ COMMITTED.
swept sweep_expired(pqxx::transaction_base& transaction, std::int32_t holds_max);

}  // namespace gapless::cases
