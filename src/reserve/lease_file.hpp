#pragma once

#include "reserve/lease_journal.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/stat.h>

/// Files of leases on the disk; only the sources of lease_journal include it. What fails throws
/// lease_journal_failure.
namespace gapless::lease_file {

inline constexpr std::string_view extension{".lease"};
inline constexpr std::string_view unfinished_ending{".lease.new"};  // of one without a header
inline constexpr std::string_view retired_ending{".settled"};

/// Says what is wrong with that file; an error of the system by its number.
[[noreturn]] void fail(std::filesystem::path const& file, std::string const& what);
[[noreturn]] void fail(std::filesystem::path const& file, int error);

/// An open file; closes what is not taken over.
class handle
{
public:
    handle(std::filesystem::path const& file, int flags);
    ~handle();
    handle(handle const&) = delete;
    handle& operator=(handle const&) = delete;

    int get() const noexcept { return number_; }
    int release() noexcept;

private:
    int number_;
};

/// Flushes the folder of a file: names have to outlive a power failure, too.
void sync_folder_of(std::filesystem::path const& file);

/// What the system says of an open file.
struct stat about(std::filesystem::path const& file, int handle);

/// Refuses what is no regular file, or larger than a journal: reading it may not end.
void refuse_special(std::filesystem::path const& file, struct stat const& found);

/// The id of the host's boot; zeros where there is none.
lease_id boot_of_host();

/// Writes all of it.
void write_at(
    std::filesystem::path const& file, int handle, std::string_view bytes, std::uint64_t place
);

/// What a file says, and where.
struct file_content
{
    lease_journal_content content;
    std::uint64_t end{};   // behind the last valid record
    std::uint64_t size{};  // with the space that was made
    std::string leftover;  // what was written behind the end
};

file_content read(
    std::filesystem::path const& file, int handle, lease_answers wanted = lease_answers::unsettled
);

/// Refuses a network file system.
void refuse_network(std::filesystem::path const& file, int handle);

}  // namespace gapless::lease_file
