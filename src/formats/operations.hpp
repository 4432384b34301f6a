#pragma once

#include "formats/format_record.hpp"
#include "record/operation.hpp"

/// Number formats: the catalogue's, which the programs carry, and the shipper's own, which the
/// database keeps.
namespace gapless::formats {

/// What is asked over HTTP. The command line reads the catalogue without a database.
extern feature const administration;

/// Keeps a format of the shipper's own, and answers it as it was kept; repeatable. One round trip.
/// Throws refused: out_of_range (what is wrong with it), state_conflict (the name is taken by
/// another declaration, or one of the catalogue).
format declare(pqxx::transaction_base& database, format const& wanted, caller const& by);

}  // namespace gapless::formats
