#pragma once

#include "issuing/issuance.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// Erases references of issuances, which may be personal data: the text is gone for good, the proof
/// remains.
namespace gapless {

/// Which references of a series to erase. Exactly one of the two is set.
struct erasable_references
{
    std::string series;
    std::optional<first_moment> before;    // of numbers issued before then; not in the future
    std::optional<std::string> reference;  // exactly this text
};

/// How far an erasure came, and where the next step continues.
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

/// Records an erasure and returns the id of its audit row; nullopt: there is nothing to erase.
/// `reason`: 1..255 characters. Refuses like count_references.
std::optional<std::int64_t> begin_erasure(
    pqxx::transaction_base& transaction,
    erasable_references const& wanted,
    std::string const& reason,
    std::string const& actor
);

/// One step of a recorded erasure, over at most `rows_max` ledger rows, continuing from `done`. In
/// its own transaction at READ COMMITTED. Safe to repeat: erased rows are left alone.
erasure_step erase_references(
    pqxx::transaction_base& transaction,
    std::int64_t audit_id,
    erasable_references const& wanted,
    erasure_step const& done,
    std::int32_t rows_max
);

}  // namespace gapless
