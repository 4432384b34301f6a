#pragma once

#include "domain/number_record.hpp"
#include "domain/refusal.hpp"
#include "domain/series_entry.hpp"
#include "store/pqxx_fwd.hpp"

#include <span>
#include <string>

namespace gapless {

/// A number in the series that knows it.
struct found_number
{
    series_entry const* series{};
    number_record record;
};

/// Looks a number up, in any spelling, in each of these series; the answer points into them.
/// Refuses with unknown_number, and with ambiguous_number when several series hold it, naming them.
result<found_number> find_number(
    pqxx::transaction_base& transaction,
    std::span<series_entry const* const> series,
    std::string const& number
);

}  // namespace gapless
