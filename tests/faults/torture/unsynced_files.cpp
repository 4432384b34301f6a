#include "unsynced_files.hpp"

#include <algorithm>
#include <cerrno>
#include <unistd.h>

namespace gapless::test {

namespace {

struct stat look_at(int handle)
{
    struct stat seen
    {
    };
    ::fstat(handle, &seen);
    return seen;
}

}  // namespace

unsynced_files::memory& unsynced_files::memory_of(int handle)
{
    auto const seen = look_at(handle);
    return files_.try_emplace(
                     {seen.st_dev, seen.st_ino}, memory{seen.st_size, seen.st_size, {}}
    ).first->second;
}

unsynced_files::page unsynced_files::load(int handle, memory const& kept, off_t number)
{
    if (auto const found = kept.pages.find(number); found != kept.pages.end())
        return found->second;
    page read{};
    auto const start = number * page_bytes;
    auto const there = std::clamp<off_t>(kept.valid - start, 0, page_bytes);
    if (there > 0 && ::pread(handle, read.data(), static_cast<std::size_t>(there), start) < 0)
        read.fill(0);
    return read;
}

off_t unsynced_files::size_of(struct stat const& seen) const
{
    auto const found = files_.find({seen.st_dev, seen.st_ino});
    return found == files_.end() ? seen.st_size : found->second.size;
}

int unsynced_files::read(int handle, char* bytes, std::size_t size, off_t start) const
{
    auto const seen = look_at(handle);
    auto const found = files_.find({seen.st_dev, seen.st_ino});
    if (found == files_.end())
    {
        auto const count = ::pread(handle, bytes, size, start);
        return count < 0 ? -errno : static_cast<int>(count);
    }
    auto const end = std::min(found->second.size, start + static_cast<off_t>(size));
    for (auto at = start; at < end;)
    {
        auto const here = load(handle, found->second, at / page_bytes);
        auto const count = std::min(page_bytes - at % page_bytes, end - at);
        std::copy_n(here.begin() + at % page_bytes, count, bytes + (at - start));
        at += count;
    }
    return static_cast<int>(std::max<off_t>(end - start, 0));
}

int unsynced_files::write(int handle, char const* bytes, std::size_t size, off_t start)
{
    auto& kept = memory_of(handle);
    auto const end = start + static_cast<off_t>(size);
    for (auto at = start; at < end;)
    {
        auto changed = load(handle, kept, at / page_bytes);
        auto const count = std::min(page_bytes - at % page_bytes, end - at);
        std::copy_n(bytes + (at - start), count, changed.begin() + at % page_bytes);
        kept.pages[at / page_bytes] = changed;
        at += count;
    }
    kept.size = std::max(kept.size, end);
    return static_cast<int>(size);
}

int unsynced_files::truncate(int handle, off_t size)
{
    auto& kept = memory_of(handle);
    kept.size = size;
    kept.valid = std::min(kept.valid, size);
    if (auto const last = kept.pages.find(size / page_bytes); last != kept.pages.end())
        std::fill(last->second.begin() + size % page_bytes, last->second.end(), '\0');
    auto const gone = (size + page_bytes - 1) / page_bytes;
    kept.pages.erase(kept.pages.lower_bound(gone), kept.pages.end());
    return 0;
}

int unsynced_files::flush(int handle)
{
    auto const seen = look_at(handle);
    auto const found = files_.find({seen.st_dev, seen.st_ino});
    if (found == files_.end())
        return 0;
    auto const& kept = found->second;
    if (kept.valid < seen.st_size && ::ftruncate(handle, kept.valid) < 0)
        return -errno;
    for (auto const& [number, bytes] : kept.pages)
    {
        auto const start = number * page_bytes;
        auto const count = std::clamp<off_t>(kept.size - start, 0, page_bytes);
        if (::pwrite(handle, bytes.data(), static_cast<std::size_t>(count), start) != count)
            return -EIO;
    }
    if (::ftruncate(handle, kept.size) < 0)
        return -errno;
    files_.erase(found);
    return 0;
}

void unsynced_files::forget(struct stat const& seen)
{
    if (seen.st_nlink == 1)
        files_.erase({seen.st_dev, seen.st_ino});
}

std::size_t unsynced_files::bytes() const
{
    std::size_t sum = 0;
    for (auto const& [file, kept] : files_)
        sum += kept.pages.size() * page_bytes;
    return sum;
}

}  // namespace gapless::test
