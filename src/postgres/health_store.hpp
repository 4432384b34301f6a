#pragma once

#include "postgres/health_check.hpp"
#include "record/pqxx_fwd.hpp"

#include <string>
#include <vector>

namespace gapless {

/// What an operator has to see to on the server, fine or not. `connections`: how many an instance
/// may open; 0: not asked.
std::vector<health_check> read_health_checks(pqxx::transaction_base& transaction, int connections);

/// Whether connections of this libpq URL are encrypted and made to the right server, as far as they
/// leave this machine. Throws database_unreachable for a URL that libpq cannot read.
health_check check_sslmode(std::string const& url);

}  // namespace gapless
