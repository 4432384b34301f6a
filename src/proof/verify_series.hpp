#pragma once

#include "base/refusal.hpp"
#include "proof/verification.hpp"
#include "record/pqxx_fwd.hpp"

#include <string>

namespace gapless::cases {

/// Recomputes the proof of a series; the duration grows with its ledger. Refuses with
/// unknown_series.
struct verify_series
{
    using answer = verification;
    std::string name;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

}  // namespace gapless::cases
