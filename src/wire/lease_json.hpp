#pragma once

#include "domain/lease_record.hpp"

#include <string>

namespace gapless {

/// Appends a lease as the JSON object of the contract: counts are strings.
void append_lease(lease_record const& lease, std::string& json);

}  // namespace gapless
