#pragma once

#include "epochs/epoch_store.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gapless::cli {

/// Left by a prepared move in the folder of the journals, outside both servers: a file
/// move.<database_id>.<epoch>, JSON that people can read. Completing the move adds the name of the
/// server, so that a second completion elsewhere is noticed.
struct move_seal
{
    std::string database_id;
    std::int32_t epoch{};
    std::string move_id;
    std::string prepared_at;
    std::string prepared_on;   // the server
    std::string completed_on;  // empty: not completed yet
    std::vector<move_mark> marks;
};

/// The seal in a folder; nullopt: there is none. Throws command_failed if the file is not a seal or
/// cannot be read.
std::optional<move_seal> read_seal(
    std::filesystem::path const& folder, std::string const& database_id, std::int32_t epoch
);

/// Writes the seal, replacing an existing one, and waits for the disk; atomic. Throws
/// command_failed.
void write_seal(std::filesystem::path const& folder, move_seal const& seal);

/// Records in the seals of these folders, where there are any, on which server the database
/// continues. Throws command_failed.
void complete_seals(
    std::vector<std::string> const& folders,
    std::string const& database_id,
    std::int32_t epoch,
    std::string const& server
);

}  // namespace gapless::cli
