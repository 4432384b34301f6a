#pragma once

#include "proof/verification.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gapless {

/// The last link of a series' hash chain, as it is published outside the database.
struct seal_head
{
    std::string database_id;
    std::int32_t epoch{};
    std::string series;  // or all_series, for the records that all series share
    std::int64_t link{};
    std::string hash;        // SHA-256 in hexadecimal
    std::string sealed_at;   // RFC 3339
    std::int64_t ordinal{};  // end of the chain; 0: no number is sealed
    std::int64_t turn{};
    std::int64_t event{};
};

/// The name used for the records that all series share; no series has it.
inline constexpr auto all_series = "*";

/// The series with unsealed records; 0: the records that all series share.
std::vector<std::int32_t> read_unsealed(pqxx::transaction_base& transaction);

/// Adds links to one chain, over at most `rows_max` rows of a kind. Returns true if there is more:
/// call it again; nullopt if it has to wait for an act being written to the audit log. Takes about
/// a microsecond per row and blocks no issuing. Refuses with fenced. Throws sql_error in a
/// SERIALIZABLE transaction.
std::optional<bool> seal_records(
    pqxx::transaction_base& transaction, std::int32_t series_id, std::int64_t rows_max = 10'000
);

/// The last link of every chain, by series.
std::vector<seal_head> read_seal_heads(pqxx::transaction_base& transaction);

/// Recomputes the hashes of all sealed records of a series (0: those that all series share). Takes
/// about a second for a million rows.
std::vector<finding> verify_chain(
    pqxx::transaction_base& transaction, std::int32_t series_id, std::string const& series
);

/// Compares the chains with anchors, a JSON array for gapless.verify_anchors.
std::vector<finding> verify_anchors(
    pqxx::transaction_base& transaction, std::string const& anchors
);

}  // namespace gapless
