#pragma once

#include "issuing/issuance.hpp"
#include "issuing/issuance_id.hpp"
#include "record/pqxx_fwd.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// An issuance found by its id.
struct issuance_record
{
    std::string series;
    issuance value;
};

/// Issues inside the caller's transaction, with the database role's own rights, for `gapless
/// issue`. A repeated key returns how its numbers are now. `key` none: every call is new. Refuses
/// with unknown_series, series_exhausted, series_paused, idempotency_key_reused, out_of_range.
result<issuance> issue_numbers(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::int64_t count,
    std::optional<std::string> const& key,
    std::optional<std::string> const& reference,
    std::optional<std::int32_t> hold_seconds = std::nullopt
);

/// Where an issuance begins in the ledger; for one drawn from a reserve, once it is settled.
/// Refuses with unknown_issuance.
result<issuance_id> find_place(pqxx::transaction_base& transaction, issuance_id const& id);

/// The issuance that begins at a place. Refuses with unknown_issuance.
result<issuance_record> read_issuance(pqxx::transaction_base& transaction, issuance_id const& id);

}  // namespace gapless
