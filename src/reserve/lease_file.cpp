#include "reserve/lease_file.hpp"

#include "reserve/lease_records.hpp"
#include "reserve/local_disk.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <limits>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gapless::lease_file {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

/// A file's bytes. Of the zeros at its end (allocated space) only as many as may belong to the last
/// record.
std::string bytes_of(
    fs::path const& file, int handle, std::uint64_t most = std::numeric_limits<std::uint64_t>::max()
)
{
    std::string all;
    std::string piece(piece_bytes, '\0');
    std::size_t zeros = 0;
    for (std::uint64_t place = 0; place < most;)
    {
        auto const size = std::min<std::uint64_t>(piece.size(), most - place);
        auto const count = ::pread(handle, piece.data(), size, static_cast<off_t>(place));
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

}  // namespace

void fail(fs::path const& file, std::string const& what)
{
    throw lease_journal_failure{"journal of leases " + file.string() + ": " + what};
}

void fail(fs::path const& file, int error)
{
    fail(file, std::system_category().message(error));
}

handle::handle(fs::path const& file, int flags)
    // Never block on opening a pipe that has no writer.
    : number_{::open(file.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600)}
{
    if (number_ < 0)
        fail(file, errno);
}

handle::~handle()
{
    if (number_ >= 0)
        ::close(number_);
}

int handle::release() noexcept
{
    return std::exchange(number_, -1);
}

void sync_folder_of(fs::path const& file)
{
    auto const folder = file.parent_path().empty() ? fs::path{"."} : file.parent_path();
    handle const opened{folder, O_RDONLY | O_DIRECTORY};
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

void refuse_special(fs::path const& file, struct stat const& found)
{
    if (!S_ISREG(found.st_mode))
        fail(file, "it is no regular file");
    if (static_cast<std::uint64_t>(found.st_size) > lease_journal::bytes_max)
        fail(
            file,
            "it has " + std::to_string(found.st_size) + " bytes, a journal of leases has " +
                std::to_string(lease_journal::bytes_max) + " at most"
        );
}

file_content read(fs::path const& file, int handle, lease_answers wanted)
{
    refuse_special(file, about(file, handle));
    auto const bytes = bytes_of(file, handle);
    auto const found = about(file, handle);  // after its bytes: another process may append
    auto said = read_lease_bytes(bytes, wanted);
    if (!said)
        fail(
            file,
            wanted == lease_answers::salvaged
                ? "nothing in it is a record of a lease: there is nothing to settle"
                : "it is no journal of leases, or its header is damaged; put it away, and have its "
                  "answers settled: gapless lease recover FILE"
        );
    auto& content = said->content;
    content.original = said->header.device == found.st_dev && said->header.inode == found.st_ino;
    auto const boot = boot_of_host();
    content.same_boot = boot != lease_id{} && said->header.boot == boot;
    auto const size = static_cast<std::uint64_t>(found.st_size);
    if (content.damage.empty() && size < said->room)
        content.damage = "it was cut: it has " + std::to_string(size) +
                         " bytes, and had at least " + std::to_string(said->room) +
                         " when its lease was taken";
    auto const last = bytes.find_last_not_of('\0');
    return {
        .content = std::move(content),
        .end = said->end,
        .size = size,
        .leftover = last >= said->end ? bytes.substr(said->end, last + 1 - said->end) : ""};
}

std::uint64_t read_rest(fs::path const& file, int handle, std::uint64_t end)
{
    auto const said = read_lease_bytes(bytes_of(file, handle, end));
    return said ? said->rest : 0;
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

}  // namespace gapless::lease_file
