#pragma once

#include "formats/series_entry.hpp"
#include "numbers/event.hpp"
#include "numbers/number.hpp"
#include "record/operation.hpp"

/// What becomes of numbers after they left. Each function runs inside the caller's transaction, and
/// blocks; SQL's refusals leave through run_serializable and its like (postgres/transaction.hpp).
/// `of` is the series that is named.
namespace gapless::numbers {

/// What is asked and told over HTTP and on the command line.
extern feature const administration;

/// What became of a number. Throws refused with unknown_number, saying why it is none of this
/// series.
number_record read(
    pqxx::transaction_base& database, number_name const& which, series_entry const& of
);

/// The same in whichever series has it, of those that are seen, or in the one that is named. Throws
/// refused, also with ambiguous_number when several have it, naming them, and unknown_series.
number_record search(
    pqxx::transaction_base& database, number_search const& wanted, viewer const& sees
);

/// Records what happened to numbers. Throws refused as read_serial_ranges() refuses. SQL refuses
/// with unknown_number, state_conflict (naming the first number whose state does not allow it),
/// on_lease.
event note(
    pqxx::transaction_base& database,
    event_draft const& wanted,
    caller const& by,
    series_entry const& of
);

}  // namespace gapless::numbers
