#pragma once

#include "cli/command_context.hpp"
#include "reserve/lease_journal.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace gapless::cli {

/// Reads the id of the database, the same in all epochs and copies. Blocks. Throws command_failed.
std::string read_database_id(command_context& context);

/// Reads a journal of leases with all its answers, settled ones included. Throws command_failed
/// (failure if it cannot be read, conflict if it is of another database). With `wanted` salvaged, a
/// file with a damaged header counts as this database's.
lease_journal_content read_lease_journal(
    std::filesystem::path const& file,
    std::string const& database,
    lease_answers wanted = lease_answers::all
);

/// The journals of leases of that database in a folder, in name order; may be empty. Throws
/// command_failed if the folder cannot be read.
std::vector<std::filesystem::path> find_lease_journals_in(
    std::filesystem::path const& folder, std::string const& database
);

/// The journals of leases that `words` name: files, or folders with journals of that database.
/// Throws command_failed (usage) for a word that is neither, and for a folder without any.
std::vector<std::filesystem::path> find_lease_journals(
    std::vector<std::string> const& words, std::string const& database
);

/// Settles the answers of journals of leases, and returns no numbers, for instances that cannot any
/// more. Prints the result by file. Safe to repeat. exit_code::findings if the number of an answer
/// is not on record, or belongs to somebody else.
exit_code recover_leases(command_context& context, std::vector<std::string> const& words);

}  // namespace gapless::cli
