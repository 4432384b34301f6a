#pragma once

#include "postgres/health_check.hpp"
#include "record/pqxx_fwd.hpp"

#include <string>
#include <vector>

namespace gapless {

/// The checks of the server, passed or not. `connections`: how many an instance may open; 0: not
/// checked.
std::vector<health_check> read_health_checks(pqxx::transaction_base& transaction, int connections);

/// Whether connections of this libpq URL are encrypted and verify the server, if they leave this
/// machine. Throws database_unreachable for a URL that libpq cannot read.
health_check check_sslmode(std::string const& url);

}  // namespace gapless
