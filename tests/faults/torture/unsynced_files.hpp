#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <sys/stat.h>
#include <sys/types.h>
#include <utility>

namespace gapless::test {

/// What was written to files and not flushed: pages and lengths in memory, in front of files that
/// do not have them yet. Files are told apart by device and inode, and handles lead to those files,
/// open for reading and writing. What fails is told as the negative errno. One thread.
class unsynced_files
{
public:
    static constexpr off_t page_bytes = 4'096;

    /// The size of a file, which `seen` is of.
    off_t size_of(struct stat const& seen) const;

    /// Returns how many bytes there were to read.
    int read(int handle, char* bytes, std::size_t size, off_t start) const;

    /// Returns `size`.
    int write(int handle, char const* bytes, std::size_t size, off_t start);
    int truncate(int handle, off_t size);

    /// From now on the file itself has it.
    int flush(int handle);

    /// The last name of that file goes.
    void forget(struct stat const& seen);

    /// How many bytes a power failure would take.
    std::size_t bytes() const;

private:
    using page = std::array<char, page_bytes>;
    using identity = std::pair<dev_t, ino_t>;

    struct memory
    {
        off_t size{};
        off_t valid{};  // up to here the file's own bytes count, where no page is kept
        std::map<off_t, page> pages;
    };

    memory& memory_of(int handle);
    static page load(int handle, memory const& kept, off_t number);

    std::map<identity, memory> files_;
};

}  // namespace gapless::test
