#include "reserve/journal_folder.hpp"

#include "base/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <utility>

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

/// The keys of a journal's unsettled answers; if its header is damaged, of all that are readable.
/// Nullopt: nothing is.
std::optional<answer_keys> read_keys(fs::path const& file)
{
    for (auto const wanted : {lease_answers::unsettled, lease_answers::salvaged})
        try
        {
            return unsettled_keys(lease_journal::read(file, wanted));
        }
        catch (lease_journal_failure const&)
        {
            continue;
        }
    return std::nullopt;
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

answer_keys unsettled_keys(lease_journal_content const& content)
{
    answer_keys keys;
    for (auto const& one : content.unsettled)
        keys.insert({one.left.owner_id, one.left.key});
    return keys;
}

answer_keys unopened_journals::read(fs::path const& folder)
{
    answer_keys all;
    std::error_code error;
    for (auto const& entry : fs::directory_iterator{folder, error})
    {
        if (entry.path().extension() != ".lease")
            continue;
        auto& keys = earlier_[entry.path()];
        keys = read_keys(entry.path()).value_or(answer_keys{});
        all.insert(keys.begin(), keys.end());
    }
    return all;
}

unopened_journals::look unopened_journals::open(std::vector<fs::path> const& files)
{
    held_.merge(std::exchange(earlier_, {}));
    answer_keys others;
    std::erase_if(held_, [&](auto const& each) {
        auto const is_other = std::ranges::find(files, each.first) == files.end();
        if (is_other)
            others.insert(each.second.begin(), each.second.end());
        return is_other;
    });
    auto found = open_again(files);
    found.recorded.merge(others);
    return found;
}

unopened_journals::look unopened_journals::open_again(std::vector<fs::path> const& files)
{
    look found;
    for (auto const& file : files)
        held_.try_emplace(file);
    for (auto next = held_.begin(); next != held_.end();)
    {
        auto& [path, keys] = *next;
        std::unique_ptr<lease_journal> file;
        std::string trouble;
        try
        {
            file = lease_journal::open(path);
        }
        catch (lease_journal_failure const& failure)
        {
            trouble = failure.what();
        }
        std::error_code error;
        auto const gone = !file && !fs::exists(path, error) && !error;
        std::optional<answer_keys> left{std::in_place};
        if (file)
            left = unsettled_keys(file->content());
        else if (!gone && !keys.empty())
            left = read_keys(path);
        if (left)  // else nothing new is known
        {
            auto const unsettled = std::exchange(keys, {});
            for (auto const& key : unsettled)
                (left->contains(key) ? keys : found.recorded).insert(key);
        }
        if (!trouble.empty() && !gone)
            found.trouble.push_back(std::move(trouble));
        found.holds_keys = found.holds_keys || (!file && !keys.empty());
        next = file || gone ? held_.erase(next) : std::next(next);
        if (file)
            found.opened.push_back(std::move(file));
    }
    return found;
}

}  // namespace gapless
