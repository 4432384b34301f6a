#pragma once

#include "issuing/journal.hpp"
#include "reserve/lease_journal.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gapless {

/// Opens the folder of the journals; null if its name is empty. Refuses a world-writable folder,
/// and one with a file that cannot be a journal: a pipe, a device, or a file that is too large.
/// Throws journal_failure with the reason.
std::unique_ptr<journal> open_journal_folder(std::filesystem::path const& folder);

/// Owners and keys of answers.
using answer_keys = std::set<std::pair<std::int32_t, idempotency_key>>;

/// Those of the unsettled answers.
answer_keys unsettled_keys(lease_journal_content const& content);

/// The journals of leases of a folder that are not open here: another instance has them, or they
/// cannot be read. They are tried again, since that instance may end for good. Keys of their
/// unsettled answers are held back meanwhile. Used on one thread at a time; blocks on the disk.
class unopened_journals
{
public:
    /// Reads every journal of the folder, of any database, also one whose header is damaged.
    /// Returns the keys of its unsettled answers; what cannot be read is told by open().
    answer_keys read(std::filesystem::path const& folder);

    /// What was found out.
    struct look
    {
        std::vector<std::unique_ptr<lease_journal>> opened;
        answer_keys recorded;              // held back until now, and not unsettled any more
        std::vector<std::string> trouble;  // why a journal cannot be opened: an operator has to act
        bool holds_keys{};                 // of journals that are still not open
    };

    /// Tries to open these journals, and forgets the others, which are of other databases.
    look open(std::vector<std::filesystem::path> const& files);

    /// Tries again, also these, and reads what of the keys is still unsettled where another
    /// instance has the journal. A journal that is gone has nothing unsettled: it was retired, or
    /// put away.
    look open_again(std::vector<std::filesystem::path> const& files = {});

private:
    std::map<std::filesystem::path, answer_keys> earlier_;  // until open() tells whose they are
    std::map<std::filesystem::path, answer_keys> held_;
};

}  // namespace gapless
