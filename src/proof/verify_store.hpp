#pragma once

#include "base/refusal.hpp"
#include "proof/verification.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gapless {

/// Recomputes the proof of one series from the ledger. Takes time in proportion to the ledger (five
/// million rows and more a second), on as many cores as PostgreSQL gives, and blocks no issuing.
verification verify_series(
    pqxx::transaction_base& transaction, std::int32_t series_id, std::string const& name
);

/// The same for every series, in name order, with one pass over the whole ledger.
std::vector<verification> verify_all(pqxx::transaction_base& transaction);

/// Use cases; see formats/find_series.hpp.
namespace cases {

/// The same for a series by its name. Refuses with unknown_series.
struct verify_series
{
    using answer = verification;
    std::string name;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

}  // namespace cases

}  // namespace gapless
