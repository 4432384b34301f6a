#include "reserve/journal_folder.hpp"

#include "reserve/lease_journal.hpp"

#include <fmt/format.h>

namespace gapless {

namespace {

namespace fs = std::filesystem;

/// Anyone who can write there could replace our journal.
void refuse_open_to_all(fs::path const& folder)
{
    auto const mode = fs::status(folder).permissions();
    if ((mode & fs::perms::others_write) != fs::perms::none)
        throw journal_failure{fmt::format(
            "journal {}: everybody may write there (mode {:04o}); chmod o-w {}",
            folder.string(),
            static_cast<unsigned>(mode),
            folder.string()
        )};
}

/// Reading a pipe or a device may never end.
void refuse_special(fs::directory_entry const& entry)
{
    auto const file = entry.path().string();
    if (!entry.is_regular_file() && !entry.is_directory())
        throw journal_failure{
            fmt::format("journal {}: it is no regular file, and no journal; put it away", file)};
    if (entry.is_regular_file() && entry.file_size() > lease_journal::bytes_max)
        throw journal_failure{fmt::format(
            "journal {}: it has {} bytes, a journal has {} at most; put it away",
            file,
            entry.file_size(),
            lease_journal::bytes_max
        )};
}

}  // namespace

std::unique_ptr<journal> open_journal_folder(fs::path const& folder)
{
    if (folder.empty())
        return nullptr;
    auto opened = std::make_unique<journal>(folder);
    try
    {
        refuse_open_to_all(folder);
        for (auto const& entry : fs::directory_iterator{folder})
            refuse_special(entry);
    }
    catch (fs::filesystem_error const& error)
    {
        throw journal_failure{"journal " + folder.string() + ": " + error.code().message()};
    }
    return opened;
}

}  // namespace gapless
