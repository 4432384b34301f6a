#pragma once

#include "reserve/lease_journal.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/stat.h>

/// File access for leases; only the sources of lease_journal include it. Errors throw
/// lease_journal_failure.
namespace gapless::lease_file {

inline constexpr std::string_view extension{".lease"};
inline constexpr std::string_view unfinished_ending{".lease.new"};  // without a header yet
inline constexpr std::string_view retired_ending{".settled"};

/// Throws what is wrong with that file; a system error is given by its number.
[[noreturn]] void fail(std::filesystem::path const& file, std::string const& what);
[[noreturn]] void fail(std::filesystem::path const& file, int error);

/// An open file; closes the descriptor unless it was released.
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

/// Flushes the folder of a file, so that its name survives a power failure, too.
void sync_folder_of(std::filesystem::path const& file);

/// The system's information about an open file.
struct stat about(std::filesystem::path const& file, int handle);

/// Refuses a file that is not regular, or larger than a journal: reading it may never end.
void refuse_special(std::filesystem::path const& file, struct stat const& found);

/// The boot id of the host; zeros if it has none.
lease_id boot_of_host();

/// Writes all bytes.
void write_at(
    std::filesystem::path const& file, int handle, std::string_view bytes, std::uint64_t place
);

/// The content of a file, and where it ends.
struct file_content
{
    lease_journal_content content;
    std::uint64_t end{};   // end of the last valid record
    std::uint64_t size{};  // including allocated space
    std::string leftover;  // what was written after `end`
};

file_content read(
    std::filesystem::path const& file, int handle, lease_answers wanted = lease_answers::unsettled
);

/// How many numbers of its open leases a file, which ends there, has no answer for.
std::uint64_t read_rest(std::filesystem::path const& file, int handle, std::uint64_t end);

/// Refuses a network file system.
void refuse_network(std::filesystem::path const& file, int handle);

}  // namespace gapless::lease_file
