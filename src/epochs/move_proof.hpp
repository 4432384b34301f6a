#pragma once

#include "epochs/move_seal.hpp"
#include "issuing/journal.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

/// Whether sources outside a database prove that no number left unnoticed.
namespace gapless::cli {

/// What a folder of journals knows about a database.
struct folder_evidence
{
    std::string folder;
    std::optional<move_seal> seal;
    std::vector<journal_content> journals;
};

/// Reads the folders; files may be in use. Throws journal_failure.
std::vector<folder_evidence> read_folders(
    std::vector<std::string> const& folders, move_record const& here
);

/// The ids of the journals that were read, each once: the same whatever the folders are called.
std::set<std::string> journal_ids(std::vector<folder_evidence> const& folders);

/// The journals used on this server that no folder has, one sentence each: what their instances
/// answered last is unknown.
std::vector<std::string> missing_journals(
    move_record const& here, std::vector<folder_evidence> const& folders
);

/// That the seal of a folder names another server as the one that goes on; nullopt: none does.
std::optional<std::string> completed_elsewhere(
    move_record const& here, std::vector<folder_evidence> const& folders
);

/// Why a move of this database may not be prepared, one sentence each: journals of instances of
/// this epoch are missing, or know more than the database.
std::vector<std::string> obstacles_to_prepare(
    move_record const& here, std::vector<folder_evidence> const& folders
);

/// Why a move may not be completed on this database, one sentence each: no move was prepared,
/// another fence was raised, a series changed since, a folder lacks the seal or its move was
/// completed elsewhere, a journal is missing or shows that the old server went on issuing.
std::vector<std::string> obstacles_to_move(
    move_record const& here, std::vector<folder_evidence> const& folders
);

}  // namespace gapless::cli
