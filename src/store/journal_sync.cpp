#include "store/journal_file.hpp"

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <unistd.h>
#include <utility>

/// How what was noted gets to the disk: now and then by a thread of its own, at once where somebody
/// has to wait for it.
namespace gapless {

namespace {

constexpr std::chrono::milliseconds sync_interval{100};

}  // namespace

void journal::flush()
{
    // Kept alive: it may be exchanged for another database's meanwhile.
    std::shared_ptr<file> written;
    {
        std::lock_guard const lock{mutex_};
        if (!broken_.empty())
            throw journal_failure{broken_};
        dirty_ = false;
        written = own_;
    }
    if (written)
        flush_to_disk(*written);
}

/// From a failure on nothing is noted any more.
void journal::flush_to_disk(file const& written)
{
    if (::fdatasync(written.handle) == 0)
        return;
    auto const why = std::string{std::strerror(errno)};
    std::lock_guard const lock{mutex_};
    broken_ = "journal " + folder_.string() + ": the disk did not take it: " + why;
    throw journal_failure{broken_};
}

void journal::sync_now_and_then(std::stop_token const& stop)
{
    std::condition_variable_any bell;
    std::mutex resting;
    std::unique_lock rest{resting};
    while (!stop.stop_requested())
    {
        bell.wait_for(rest, stop, sync_interval, [] { return false; });
        std::shared_ptr<file> written;
        {
            std::lock_guard const lock{mutex_};
            if (std::exchange(dirty_, false))
                written = own_;
        }
        try
        {
            if (written)
                flush_to_disk(*written);
        }
        catch (journal_failure const&)
        {
            // Whoever notes something next is told.
        }
    }
}

}  // namespace gapless
