#include "reserve/lease_journal.hpp"

#include "base/moment.hpp"
#include "reserve/lease_file.hpp"
#include "reserve/lease_records.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gapless {

namespace {

namespace fs = std::filesystem;
using namespace lease_file;

constexpr std::chrono::hours retired_kept{30 * 24};

/// Whether the name still refers to this very file: it may have been retired meanwhile.
bool is_named(fs::path const& file, int handle)
{
    struct stat named;
    auto const opened = about(file, handle);
    return ::stat(file.c_str(), &named) == 0 && named.st_dev == opened.st_dev &&
           named.st_ino == opened.st_ino;
}

}  // namespace

std::vector<fs::path> lease_journal::find(fs::path const& folder, std::string const& database)
{
    std::vector<fs::path> found;
    std::error_code error;
    auto entry = fs::directory_iterator{folder, error};
    for (; !error && entry != fs::directory_iterator{}; entry.increment(error))
    {
        auto const name = entry->path().filename().string();
        if (name.size() <= database.size() + 1 + extension.size() ||
            !name.starts_with(database + '-') || !name.ends_with(extension))
            continue;
        auto const instance = std::string_view{name}.substr(
            database.size() + 1, name.size() - database.size() - 1 - extension.size()
        );
        if (read_lease_id(instance))
            found.push_back(entry->path());
    }
    if (error && error != std::errc::no_such_file_or_directory)
        fail(folder, error.message());
    std::ranges::sort(found);
    return found;
}

std::unique_ptr<lease_journal> lease_journal::create(
    fs::path const& folder, std::string const& database, lease_id const& instance
)
{
    std::error_code error;
    fs::create_directories(folder, error);
    auto const name = database + '-' + to_text(instance);
    auto const file = folder / (name + std::string{extension});
    auto const unfinished = folder / (name + std::string{unfinished_ending});
    if (error)
        fail(file, error.message());
    handle opened{unfinished, O_RDWR | O_CREAT | O_EXCL};
    auto const remove = [](fs::path const* path) {
        std::error_code ignored;
        fs::remove(*path, ignored);
    };
    std::unique_ptr<fs::path const, decltype(remove)> const left_behind{&unfinished, remove};
    refuse_network(file, opened.get());
    if (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0)
        fail(file, errno);
    auto const made = about(file, opened.get());
    auto const header = encode(lease_journal_header{
        .database = database,
        .instance = instance,
        .boot = boot_of_host(),
        .device = made.st_dev,
        .inode = made.st_ino});
    write_at(file, opened.get(), header, 0);
    if (::fsync(opened.get()) != 0)
        fail(file, errno);
    // A file of the final name never lacks its header.
    if (::renameat2(AT_FDCWD, unfinished.c_str(), AT_FDCWD, file.c_str(), RENAME_NOREPLACE) != 0)
        fail(file, errno);
    sync_folder_of(file);
    auto said = lease_file::read(file, opened.get());
    std::unique_ptr<lease_journal> journal{new lease_journal{file, opened.release()}};
    journal->end_ = said.end;
    journal->room_ = said.size;
    journal->content_ = std::move(said.content);
    return journal;
}

std::unique_ptr<lease_journal> lease_journal::open(fs::path const& file)
{
    handle opened{file, O_RDWR};
    refuse_special(file, about(file, opened.get()));
    refuse_network(file, opened.get());
    if (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0)
    {
        if (errno == EWOULDBLOCK)
            return nullptr;
        fail(file, errno);
    }
    if (!is_named(file, opened.get()))
        return nullptr;
    if (::fdatasync(opened.get()) != 0)
        fail(file, errno);
    auto said = lease_file::read(file, opened.get());
    if (!said.leftover.empty())
    {
        // A torn record left these. Records that overwrite them must end in zeros again.
        write_at(file, opened.get(), std::string(said.leftover.size(), '\0'), said.end);
        if (::fdatasync(opened.get()) != 0)
            fail(file, errno);
    }
    std::unique_ptr<lease_journal> journal{new lease_journal{file, opened.release()}};
    journal->end_ = said.end;
    journal->room_ = said.size;
    journal->content_ = std::move(said.content);
    return journal;
}

lease_journal_content lease_journal::read(fs::path const& file, lease_answers wanted)
{
    handle const opened{file, O_RDONLY};
    return lease_file::read(file, opened.get(), wanted).content;
}

lease_journal::lease_journal(fs::path file, int handle) : file_{std::move(file)}, handle_{handle} {}

lease_journal::~lease_journal()
{
    ::close(handle_);
}

void lease_journal::require_whole() const
{
    if (broken_)
        fail(file_, "an earlier write failed; nothing more is written to it");
}

void lease_journal::make_room(std::uint64_t bytes)
{
    require_whole();
    bytes += lease_file::read_rest(file_, handle_, end_) * lease_room_bytes;
    if (end_ + bytes <= room_)
        return;
    if (end_ + bytes > bytes_max)
        fail(
            file_,
            "the reserves of all series need " + std::to_string(end_ + bytes) +
                " bytes, a journal has " + std::to_string(bytes_max) +
                " at most; make them smaller: gapless series set NAME --reserve N"
        );
    // Returns its error, does not set errno.
    if (auto const error =
            ::posix_fallocate(handle_, static_cast<off_t>(end_), static_cast<off_t>(bytes));
        error != 0)
        fail(file_, error);
    room_ = end_ + bytes;
    flush();
}

void lease_journal::append(std::string_view records)
{
    require_whole();
    broken_ = true;
    write_at(file_, handle_, records, end_);
    broken_ = false;
    end_ += records.size();
    room_ = std::max(room_, end_);
}

void lease_journal::flush()
{
    require_whole();
    // Never retried: the kernel considers pages clean that it could not write.
    if (::fdatasync(handle_) == 0)
        return;
    auto const error = errno;
    broken_ = true;
    fail(file_, error);
}

void lease_journal::retire()
{
    flush();
    auto const said = lease_file::read(file_, handle_).content;
    if (!said.unsettled.empty() || !said.leases.empty())
        fail(
            file_,
            std::to_string(said.unsettled.size()) + " answers are not settled, " +
                std::to_string(said.leases.size()) + " leases are not returned: it is still needed"
        );
    auto moment =
        to_rfc3339(std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now()));
    std::erase_if(moment, [](char c) { return c == '-' || c == ':'; });
    auto const retired = fs::path{file_.string() + '.' + moment + std::string{retired_ending}};
    if (::rename(file_.c_str(), retired.c_str()) != 0)
        fail(file_, errno);
    file_ = retired;
    sync_folder_of(file_);
}

void lease_journal::remove_old(fs::path const& folder) noexcept
{
    std::error_code error;
    auto const now = fs::file_time_type::clock::now();
    auto entry = fs::directory_iterator{folder, error};
    for (; !error && entry != fs::directory_iterator{}; entry.increment(error))
    {
        auto const name = entry->path().filename().string();
        auto const is_retired =
            name.find(std::string{extension} + '.') != std::string::npos &&
            (name.ends_with(retired_ending) || name.ends_with(unfinished_ending));
        std::error_code ignored;
        auto const written = entry->last_write_time(ignored);
        if (is_retired && !ignored && now - written > retired_kept)
            fs::remove(entry->path(), ignored);
    }
}

}  // namespace gapless
