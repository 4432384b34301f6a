#pragma once

#include "cli/command_context.hpp"
#include "reserve/lease_journal.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace gapless::cli {

/// What names the database in all epochs and copies. Blocks. Throws command_failed.
std::string read_database_id(command_context& context);

/// A journal of leases with all its answers, also those that were settled. Throws command_failed
/// (failure where it cannot be read, conflict where it is of another database). Where `wanted` is
/// salvaged, one with a damaged header is taken for one of this database.
lease_journal_content read_lease_journal(
    std::filesystem::path const& file,
    std::string const& database,
    lease_answers wanted = lease_answers::all
);

/// The journals of leases of that database in a folder, by name; maybe none. Throws command_failed
/// where the folder cannot be read.
std::vector<std::filesystem::path> find_lease_journals_in(
    std::filesystem::path const& folder, std::string const& database
);

/// The journals of leases that words name: files, or folders with journals of that database.
/// Throws command_failed (usage) for a word that names neither, and for a folder without any.
std::vector<std::filesystem::path> find_lease_journals(
    std::vector<std::string> const& words, std::string const& database
);

/// Settles the answers of journals of leases, and returns nothing: what an instance can no longer
/// do. Prints what became of them, by file. Safe to repeat. exit_code::findings where the number of
/// an answer is not on record, or for somebody else.
exit_code recover_leases(command_context& context, std::vector<std::string> const& words);

}  // namespace gapless::cli
