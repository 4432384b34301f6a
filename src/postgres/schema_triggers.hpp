#pragma once

#include "record/pqxx_fwd.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// A file of sql/ without its triggers, and these. `create or replace trigger` waits for everybody
/// who has written to the table, and everybody else then waits behind it; functions wait for
/// nobody.
struct split_file
{
    std::string rest;
    std::vector<std::string> triggers;  // one statement each
};

/// Takes the statements that begin a line with "create or replace trigger" out of a file.
split_file split_triggers(std::string_view text);

/// Those of the triggers that the database does not have, or has otherwise, or switched off.
std::vector<std::string> missing_triggers(
    pqxx::transaction_base& transaction, std::vector<std::string> const& triggers
);

/// Creates triggers, their tables locked first: for 300 ms at most altogether, so that nobody else
/// waits for longer. Throws pqxx::sql_error 55P03 when somebody holds a table for longer.
void create_triggers(pqxx::transaction_base& transaction, std::vector<std::string> const& triggers);

}  // namespace gapless
