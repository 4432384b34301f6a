#pragma once

#include "epochs/move_seal.hpp"
#include "issuing/journal.hpp"

#include <optional>
#include <string>
#include <vector>

/// Whether what lies outside a database proves that nothing left after a move was prepared. Pure.
namespace gapless::cli {

/// What a folder of journals holds about a database.
struct folder_evidence
{
    std::string folder;
    std::optional<move_seal> seal;
    std::vector<journal_content> journals;
};

/// Why a move of this database may not be prepared, a sentence each: journals of instances of this
/// epoch that are missing, or that know of more than the database has.
std::vector<std::string> obstacles_to_prepare(
    move_record const& here, std::vector<folder_evidence> const& folders
);

/// Why a move may not be completed on this database, a sentence each: no move was prepared, a
/// series is not as it was then, a folder lacks the seal or its move was completed elsewhere, a
/// journal is missing or knows that the old server went on.
std::vector<std::string> obstacles_to_move(
    move_record const& here, std::vector<folder_evidence> const& folders
);

}  // namespace gapless::cli
