#pragma once

#include "base/refusal.hpp"
#include "formats/series_entry.hpp"
#include "record/pqxx_fwd.hpp"

#include <string>

/// Use cases: queries and changes of records. Each is a value with its input; run() executes it
/// inside the caller's transaction, maybe more than once, and has no other effect. `actor` goes
/// into the audit log. The service and the command line run the same ones.
namespace gapless::cases {

/// A series with what its numbers need. Refuses with unknown_series.
struct find_series
{
    using answer = series_entry;
    std::string name;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

}  // namespace gapless::cases
