#include "cli/whole_file.hpp"

#include "cli/failure.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace gapless::cli {

namespace {

namespace fs = std::filesystem;

struct descriptor
{
    int value;
    ~descriptor()
    {
        if (value > STDIN_FILENO)
            ::close(value);
    }
};

/// Writes all bytes and waits for the disk; returns false and sets errno on failure.
bool write_whole(fs::path const& file, std::string_view text) noexcept
{
    auto const handle = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (handle < 0)
        return false;
    bool written = true;
    while (written && !text.empty())
    {
        auto const size = ::write(handle, text.data(), text.size());
        written = size >= 0;
        text.remove_prefix(written ? static_cast<std::size_t>(size) : 0);
    }
    written = written && ::fsync(handle) == 0;
    auto const error = errno;
    ::close(handle);
    errno = error;
    return written;
}

bool sync_folder(fs::path const& folder) noexcept
{
    auto const handle = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle < 0)
        return false;
    auto const synced = ::fsync(handle) == 0;
    ::close(handle);
    return synced;
}

}  // namespace

std::string read_whole_file(std::string const& name, std::size_t bytes_max)
{
    auto const fail = [&](int error) -> command_failed {
        return {
            exit_code::usage,
            fmt::format("cannot read {}: {}", name, std::generic_category().message(error))};
    };
    descriptor const file{name == "-" ? STDIN_FILENO : ::open(name.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.value < 0)
        throw fail(errno);
    std::string text;
    std::array<char, 65'536> piece;
    while (text.size() <= bytes_max)
    {
        auto const size = ::read(file.value, piece.data(), piece.size());
        if (size < 0 && errno != EINTR)
            throw fail(errno);
        if (size == 0)
            break;
        if (size > 0)
            text.append(piece.data(), static_cast<std::size_t>(size));
    }
    return text;
}

void replace_whole_file(fs::path const& file, std::string_view text)
{
    auto const fresh = fs::path{file.string() + ".new"};
    auto const folder = file.has_parent_path() ? file.parent_path() : fs::path{"."};
    if (!write_whole(fresh, text) || ::rename(fresh.c_str(), file.c_str()) != 0 ||
        !sync_folder(folder))
        throw command_failed{
            exit_code::failure,
            fmt::format(
                "cannot write {}: {}", file.string(), std::generic_category().message(errno)
            )};
}

}  // namespace gapless::cli
