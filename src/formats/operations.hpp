#pragma once

#include "formats/format_record.hpp"
#include "record/operation.hpp"

/// Number formats: the catalogue's, which the programs carry, and the shipper's own, which the
/// database keeps.
namespace gapless::formats {

/// The operations over HTTP. The command line reads the catalogue without a database.
extern feature const administration;

/// Stores a format of the shipper's own, and answers it as stored; repeatable. One round trip.
/// Throws refused: out_of_range (saying what is wrong), state_conflict (the name belongs to another
/// declaration, or to the catalogue).
format declare(pqxx::transaction_base& database, format const& wanted, caller const& by);

}  // namespace gapless::formats
