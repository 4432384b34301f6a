#pragma once

#include "epochs/epoch_store.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gapless::cli {

/// What a prepared move leaves in the folder of the journals, outside of both servers: a file
/// move.<database_id>.<epoch>, JSON that people can read. Completing the move adds the name of the
/// server, so that completing it on a second one is noticed.
struct move_seal
{
    std::string database_id;
    std::int32_t epoch{};
    std::string move_id;
    std::string prepared_at;
    std::string prepared_on;   // the server
    std::string completed_on;  // empty: on none yet
    std::vector<move_mark> marks;
};

/// The seal in a folder; none: there is no such file. Throws command_failed for a file that is none
/// or cannot be read.
std::optional<move_seal> read_seal(
    std::filesystem::path const& folder, std::string const& database_id, std::int32_t epoch
);

/// Writes the seal, in place of the one there is, and waits for the disk: it is there as a whole or
/// not at all. Throws command_failed.
void write_seal(std::filesystem::path const& folder, move_seal const& seal);

/// Writes into the seals of these folders, where there are any, on which server the database goes
/// on. Throws command_failed.
void complete_seals(
    std::vector<std::string> const& folders,
    std::string const& database_id,
    std::int32_t epoch,
    std::string const& server
);

}  // namespace gapless::cli
