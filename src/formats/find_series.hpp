#pragma once

#include "base/refusal.hpp"
#include "formats/series_entry.hpp"
#include "record/pqxx_fwd.hpp"

#include <string>

/// Use cases: what can be asked of the records, and what can be done to them. Each is a value with
/// what was asked; run() does it inside the caller's transaction, maybe more than once, and has no
/// other effect. `actor` is written into the audit log. Service and command line run the same ones.
namespace gapless::cases {

/// A series as its numbers need it. Refuses with unknown_series.
struct find_series
{
    using answer = series_entry;
    std::string name;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

}  // namespace gapless::cases
