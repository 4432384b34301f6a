#pragma once

#include "issuing/issuance.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// Erasing the references of issuances, which may be personal data: the text goes for ever, the
/// proof stays.
namespace gapless {

/// Which references of a series. Exactly one of the two says it.
struct erasable_references
{
    std::string series;
    std::optional<first_moment> before;    // of numbers issued before; not in the future
    std::optional<std::string> reference;  // exactly this text
};

/// How far an erasure came; where the next step goes on.
struct erasure_step
{
    std::int64_t erased{};  // in this step
    std::int32_t turn{};
    std::int64_t ordinal{};
    bool more{true};
};

/// How many ledger rows have such a reference. Refuses with unknown_series, out_of_range.
std::int64_t count_references(
    pqxx::transaction_base& transaction, erasable_references const& wanted
);

/// Puts an erasure on record and returns the id of that audit row; none: there is nothing to erase.
/// `reason`: 1..255 characters. Refuses like count_references.
std::optional<std::int64_t> begin_erasure(
    pqxx::transaction_base& transaction,
    erasable_references const& wanted,
    std::string const& reason,
    std::string const& actor
);

/// One step of an erasure on record, over `rows_max` ledger rows at most, from where `done` came.
/// In a transaction of its own at READ COMMITTED. Safe to repeat: what is erased is left alone.
erasure_step erase_references(
    pqxx::transaction_base& transaction,
    std::int64_t audit_id,
    erasable_references const& wanted,
    erasure_step const& done,
    std::int32_t rows_max
);

}  // namespace gapless
