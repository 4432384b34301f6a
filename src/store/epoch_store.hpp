#pragma once

#include "store/database_life.hpp"

#include <pqxx/pqxx>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gapless {

/// The present epoch, and what the database says of itself.
struct epoch_record
{
    database_life life;
    std::string opened_at;  // RFC 3339
    std::string opened_by;
    std::string reason;
    std::vector<series_mark> marks;
    std::vector<std::string> series;  // names, in the order of marks
};

epoch_record read_epoch(pqxx::transaction_base& transaction);

/// Records that the numbers of a series up to an ordinal left (`quarantine`: may have left, so they
/// are voided). Returns how many were missing. Refuses with state_conflict when nothing is fenced,
/// series_exhausted when blocks are missing, too.
std::int64_t fill_series(
    pqxx::transaction_base& transaction,
    series_mark const& up_to,
    bool quarantine,
    std::string const& reason,
    std::string const& actor
);

/// Proposes to open an epoch. The database role that proposed the same
/// before; none: this is the first, and another one has to follow. Refuses with state_conflict.
std::optional<std::string> propose_epoch(
    pqxx::transaction_base& transaction,
    std::int32_t epoch,
    std::string const& reason,
    std::string const& proof,
    std::string const& actor
);

/// Opens an epoch, which has to be the next one. `proof`: JSON, for the audit log; another
/// role has to have proposed the same. Refuses with state_conflict.
void open_epoch(
    pqxx::transaction_base& transaction,
    std::int32_t epoch,
    std::string const& reason,
    std::string const& proof,
    std::string const& actor
);

}  // namespace gapless
