#pragma once

#include "domain/number_record.hpp"

#include <optional>
#include <string>

namespace gapless {

/// Where a number is on lease, and since when.
struct lease_place
{
    std::string host;
    database_time since;

    friend bool operator==(lease_place const&, lease_place const&) = default;
};

/// As the history of the number says; none: it is not on lease now.
std::optional<lease_place> find_lease(number_record const& number);

}  // namespace gapless
