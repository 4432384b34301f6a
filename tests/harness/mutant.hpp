#pragma once

#include "record/pqxx_fwd.hpp"

#include <string>

namespace gapless::test {

/// The SQL of the mutant that tools/mutants tries: the text of the file that GAPLESS_TEST_MUTANT
/// names. Empty without one. Throws std::runtime_error when the file cannot be read.
std::string const& mutant_sql();

/// Puts the mutant over the functions of a database that was just migrated; nothing without one.
void apply_mutant(pqxx::connection& connection);

}  // namespace gapless::test
