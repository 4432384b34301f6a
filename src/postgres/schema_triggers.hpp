#pragma once

#include "record/pqxx_fwd.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// A file of sql/, split into its triggers and the rest. `create or replace trigger` waits for all
/// who have written to the table, and everybody else queues behind it; functions wait for nobody.
struct split_file
{
    std::string rest;
    std::vector<std::string> triggers;  // one statement each
};

/// Takes the statements that begin a line with "create or replace trigger" out of a file.
split_file split_triggers(std::string_view text);

/// Those triggers that the database lacks, has disabled, or has in another version.
std::vector<std::string> missing_triggers(
    pqxx::transaction_base& transaction, std::vector<std::string> const& triggers
);

/// Locks the tables, for which it waits 300 ms at most altogether so that nobody else waits longer,
/// and creates the triggers. Throws pqxx::sql_error 55P03 if a table stays locked for longer.
void create_triggers(pqxx::transaction_base& transaction, std::vector<std::string> const& triggers);

}  // namespace gapless
