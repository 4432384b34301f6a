#pragma once

#include "base/moment.hpp"
#include "base/refusal.hpp"
#include "record/pqxx_fwd.hpp"

#include <optional>
#include <string_view>

namespace gapless {

/// A period of time, both ends included; none: open at that end.
struct period
{
    std::optional<first_moment> from;
    std::optional<last_moment> to;
};

/// Reads from and to as people write them: a day, also as 31.12.2027, or a moment. Refuses with
/// malformed_request, naming the parameter.
result<period> read_period(
    std::optional<std::string_view> from, std::optional<std::string_view> to
);

/// Refuses with out_of_range if `to` is before `from`. A day that the time zone skipped is empty.
result<void> check_period(pqxx::transaction_base& transaction, period const& issued);

}  // namespace gapless
