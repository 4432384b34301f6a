#pragma once

#include "issuing/journal.hpp"
#include "reserve/lease_journal.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

namespace gapless {

/// Opens the folder of the journals; null if its name is empty. Refuses a world-writable folder,
/// and one with a file that cannot be a journal: a pipe, a device, or a file that is too large.
/// Throws journal_failure with the reason.
std::unique_ptr<journal> open_journal_folder(std::filesystem::path const& folder);

/// Opens a journal of leases, and tells the log of its damage. Null if another instance of this
/// host has it or it cannot be read: then an operator has to act, and we continue without it.
std::unique_ptr<lease_journal> open_or_tell(std::filesystem::path const& path);

/// Owners and keys of the unsettled answers in every journal of leases of the folder, of any
/// database. An unreadable one is reported when it is opened.
using answer_keys = std::set<std::pair<std::int32_t, idempotency_key>>;
answer_keys read_earlier_keys(std::filesystem::path const& folder);

}  // namespace gapless
