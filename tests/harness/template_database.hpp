#pragma once

#include "record/pqxx_fwd.hpp"

#include <string>

namespace gapless::test {

/// Lets statements run that are not allowed inside a transaction.
void execute(pqxx::connection& connection, std::string const& sql);

/// What tells names of databases apart, among all processes of this machine.
std::string random_suffix();

/// The name of the migrated, empty database that test cases are cloned from: one for each schema
/// and mutant, made by the first program that needs it; others wait meanwhile. Throws what
/// migrate() throws.
std::string const& ready_template(pqxx::connection& server);

}  // namespace gapless::test
