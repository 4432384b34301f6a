#pragma once

#include "domain/records.hpp"
#include "domain/token.hpp"

#include <string>

namespace gapless {

/// Appends who asks, and what the database says of itself.
void append_session(principal const& who, database_record const& of, std::string& json);

}  // namespace gapless
