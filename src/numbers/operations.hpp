#pragma once

#include "formats/series_entry.hpp"
#include "numbers/event.hpp"
#include "numbers/number.hpp"
#include "record/operation.hpp"

/// What happens to issued numbers. Each function runs inside the caller's transaction, and blocks;
/// SQL's refusals leave through run_serializable and its like (postgres/transaction.hpp). `of` is
/// the named series.
namespace gapless::numbers {

/// The operations over HTTP and on the command line.
extern feature const administration;

/// The state of a number. Throws refused with unknown_number, saying why it does not belong to this
/// series.
number_record read(
    pqxx::transaction_base& database, number_name const& which, series_entry const& of
);

/// The same in whichever visible series has the number, or in the named one. Throws refused, also
/// with ambiguous_number if several have it, naming them, and unknown_series.
number_record search(
    pqxx::transaction_base& database, number_search const& wanted, viewer const& sees
);

/// Records what happened to numbers. Throws refused like read_serial_ranges(). SQL refuses with
/// unknown_number, state_conflict (naming the first number whose state forbids it), on_lease.
event note(
    pqxx::transaction_base& database,
    event_draft const& wanted,
    caller const& by,
    series_entry const& of
);

}  // namespace gapless::numbers
