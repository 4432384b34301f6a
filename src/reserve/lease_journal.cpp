#include "reserve/lease_journal.hpp"

#include "domain/moment.hpp"
#include "reserve/lease_records.hpp"
#include "reserve/local_disk.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gapless {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending{".lease"};
constexpr std::string_view unfinished_ending{".lease.new"};
constexpr std::string_view retired_ending{".settled"};
constexpr std::chrono::hours retired_kept{30 * 24};
constexpr std::size_t piece_bytes = std::size_t{1} << 20;

[[noreturn]] void fail(fs::path const& file, std::string const& what)
{
    throw lease_journal_failure{"journal of leases " + file.string() + ": " + what};
}

[[noreturn]] void fail(fs::path const& file, int error)
{
    fail(file, std::system_category().message(error));
}

/// Closes what is not taken over.
class open_file
{
public:
    open_file(fs::path const& file, int flags)
        : handle_{::open(file.c_str(), flags | O_CLOEXEC, 0600)}
    {
        if (handle_ < 0)
            fail(file, errno);
    }
    ~open_file()
    {
        if (handle_ >= 0)
            ::close(handle_);
    }
    open_file(open_file const&) = delete;
    open_file& operator=(open_file const&) = delete;

    int get() const noexcept { return handle_; }
    int release() noexcept { return std::exchange(handle_, -1); }

private:
    int handle_;
};

/// Names have to outlive a power failure, too.
void sync_folder_of(fs::path const& file)
{
    auto const folder = file.parent_path().empty() ? fs::path{"."} : file.parent_path();
    open_file const opened{folder, O_RDONLY | O_DIRECTORY};
    if (::fsync(opened.get()) != 0)
        fail(folder, errno);
}

struct stat about(fs::path const& file, int handle)
{
    struct stat found;
    if (::fstat(handle, &found) != 0)
        fail(file, errno);
    return found;
}

lease_id boot_of_host()
{
    std::string text;
    std::getline(std::ifstream{"/proc/sys/kernel/random/boot_id"}, text);
    return read_lease_id(text).value_or(lease_id{});
}

void write_at(fs::path const& file, int handle, std::string_view bytes, std::uint64_t place)
{
    while (!bytes.empty())
    {
        auto const written =
            ::pwrite(handle, bytes.data(), bytes.size(), static_cast<off_t>(place));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            fail(file, written < 0 ? errno : ENOSPC);
        bytes.remove_prefix(static_cast<std::size_t>(written));
        place += static_cast<std::uint64_t>(written);
    }
}

/// A file's bytes. Of the zeros at its end, the space that was made, only so many as a record may
/// have come with.
std::string bytes_of(fs::path const& file, int handle)
{
    std::string all;
    std::string piece(piece_bytes, '\0');
    std::size_t zeros = 0;
    for (std::uint64_t place = 0;;)
    {
        auto const count = ::pread(handle, piece.data(), piece.size(), static_cast<off_t>(place));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            fail(file, errno);
        if (count == 0)
            break;
        std::string_view const got{piece.data(), static_cast<std::size_t>(count)};
        place += got.size();
        if (got.find_first_not_of('\0') == std::string_view::npos)
        {
            zeros += got.size();
            continue;
        }
        all.append(std::exchange(zeros, 0), '\0');
        all += got;
    }
    all.append(std::min(zeros, lease_record_bytes_max), '\0');
    return all;
}

struct file_reading
{
    lease_journal_content content;
    std::uint64_t end{};
    std::uint64_t size{};
    std::string leftover;  // what was written behind the end
};

file_reading read_file(fs::path const& file, int handle)
{
    auto const found = about(file, handle);
    auto const bytes = bytes_of(file, handle);
    auto said = read_lease_bytes(bytes);
    if (!said)
        fail(
            file,
            "it is no journal of leases, or its header is damaged; put it away, and write off its "
            "leases: gapless lease list"
        );
    auto& content = said->content;
    content.original = said->header.device == found.st_dev && said->header.inode == found.st_ino;
    auto const boot = boot_of_host();
    content.same_boot = boot != lease_id{} && said->header.boot == boot;
    auto const last = bytes.find_last_not_of('\0');
    return {
        .content = std::move(content),
        .end = said->end,
        .size = static_cast<std::uint64_t>(found.st_size),
        .leftover = last >= said->end ? bytes.substr(said->end, last + 1 - said->end) : ""};
}

void refuse_network(fs::path const& file, int handle)
{
    if (auto const kind = network_file_system_of(handle); !kind.empty())
        fail(
            file,
            "it is on a network file system (" + std::string{kind} +
                "); choose a folder on a disk of this machine with --journal"
        );
}

/// Whether the name still leads to this very file: it may have been retired meanwhile.
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
        if (name.size() <= database.size() + 1 + ending.size() ||
            !name.starts_with(database + '-') || !name.ends_with(ending))
            continue;
        auto const instance = std::string_view{name}.substr(
            database.size() + 1, name.size() - database.size() - 1 - ending.size()
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
    auto const file = folder / (name + std::string{ending});
    auto const unfinished = folder / (name + std::string{unfinished_ending});
    if (error)
        fail(file, error.message());
    open_file opened{unfinished, O_RDWR | O_CREAT | O_EXCL};
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
    // Under its name there is never a file without a header.
    if (::renameat2(AT_FDCWD, unfinished.c_str(), AT_FDCWD, file.c_str(), RENAME_NOREPLACE) != 0)
        fail(file, errno);
    sync_folder_of(file);
    auto said = read_file(file, opened.get());
    std::unique_ptr<lease_journal> journal{new lease_journal{file, opened.release()}};
    journal->end_ = said.end;
    journal->room_ = said.size;
    journal->content_ = std::move(said.content);
    return journal;
}

std::unique_ptr<lease_journal> lease_journal::open(fs::path const& file)
{
    open_file opened{file, O_RDWR};
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
    auto said = read_file(file, opened.get());
    if (!said.leftover.empty())
    {
        // Of a record that was torn. Records that are written over it have to end in zeros again.
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

lease_journal_content lease_journal::read(fs::path const& file)
{
    open_file const opened{file, O_RDONLY};
    return read_file(file, opened.get()).content;
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
    if (end_ + bytes <= room_)
        return;
    // Not by errno.
    if (auto const error = ::posix_fallocate(
            handle_, static_cast<off_t>(end_), static_cast<off_t>(bytes)
        );
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
    // Never a second time: the kernel takes pages that it could not write for clean.
    if (::fdatasync(handle_) == 0)
        return;
    auto const error = errno;
    broken_ = true;
    fail(file_, error);
}

void lease_journal::retire()
{
    flush();
    auto const said = read_file(file_, handle_).content;
    if (!said.unsettled.empty() || !said.leases.empty())
        fail(
            file_,
            std::to_string(said.unsettled.size()) + " answers are not settled, " +
                std::to_string(said.leases.size()) + " leases are not returned: it is still needed"
        );
    auto moment = to_rfc3339(std::chrono::floor<std::chrono::microseconds>(
        std::chrono::system_clock::now()
    ));
    std::erase_if(moment, [](char c) { return c == '-' || c == ':'; });
    auto const retired =
        fs::path{file_.string() + '.' + moment + std::string{retired_ending}};
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
            name.find(std::string{ending} + '.') != std::string::npos &&
            (name.ends_with(retired_ending) || name.ends_with(unfinished_ending));
        std::error_code ignored;
        auto const written = entry->last_write_time(ignored);
        if (is_retired && !ignored && now - written > retired_kept)
            fs::remove(entry->path(), ignored);
    }
}

}  // namespace gapless
