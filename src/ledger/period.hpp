#pragma once

#include "base/refusal.hpp"
#include "issuing/issuance.hpp"

#include <optional>
#include <string_view>

namespace gapless {

/// A stretch of time, both ends included; none: without that end.
struct period
{
    std::optional<database_time> from;
    std::optional<database_time> to;
};

/// Reads from and to as people write them: a date (its first, its last microsecond, UTC), also as
/// 31.12.2027, or an RFC 3339 moment. Refuses with malformed_request, naming the parameter, and
/// with out_of_range where to is before from.
result<period> read_period(
    std::optional<std::string_view> from, std::optional<std::string_view> to
);

}  // namespace gapless
