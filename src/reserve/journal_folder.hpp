#pragma once

#include "issuing/journal.hpp"

#include <filesystem>
#include <memory>

namespace gapless {

/// Opens the folder of the journals; null if its name is empty. Refuses a world-writable folder,
/// and one with a file that cannot be a journal: a pipe, a device, or a file that is too large.
/// Throws journal_failure with the reason.
std::unique_ptr<journal> open_journal_folder(std::filesystem::path const& folder);

}  // namespace gapless
