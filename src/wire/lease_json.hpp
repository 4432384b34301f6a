#pragma once

#include "domain/listed_lease.hpp"

#include <string>

namespace gapless {

/// Appends a lease as the JSON object of the contract: counts are strings.
void append_lease(listed_lease const& lease, std::string& json);

}  // namespace gapless
