#pragma once

#include "domain/health_check.hpp"
#include "store/pqxx_fwd.hpp"

#include <vector>

namespace gapless {

/// What an operator has to see to on the server, fine or not. `connections`: how many an instance
/// may open; 0: not asked.
std::vector<health_check> read_health_checks(pqxx::transaction_base& transaction, int connections);

}  // namespace gapless
