#include "reserve/journal_folder.hpp"

#include "base/log.hpp"

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

std::unique_ptr<lease_journal> open_or_tell(fs::path const& path)
{
    try
    {
        auto file = lease_journal::open(path);
        if (file && !file->content().damage.empty())
            log_event(
                log_level::error,
                "reserve_journal_damaged",
                {{"file", path.string()}, {"why", file->content().damage}}
            );
        return file;
    }
    catch (lease_journal_failure const& failure)
    {
        log_event(
            log_level::error, "reserve_not_kept", {{"step", "open"}, {"why", failure.what()}}
        );
        return nullptr;
    }
}

answer_keys read_earlier_keys(fs::path const& folder)
{
    answer_keys keys;
    std::error_code error;
    for (auto const& entry : fs::directory_iterator{folder, error})
    {
        if (entry.path().extension() != ".lease")
            continue;
        try
        {
            for (auto const& one : lease_journal::read(entry.path()).unsettled)
                keys.insert({one.left.owner_id, one.left.key});
        }
        catch (lease_journal_failure const& failure)
        {
            log_event(log_level::warning, "reserve_not_kept", {{"why", failure.what()}});
        }
    }
    return keys;
}

}  // namespace gapless
