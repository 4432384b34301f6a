#include "issuing/journal_bench.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace journal_flush_test {

using namespace gapless;
using namespace gapless::test;

/// What this program asked of its disk.
std::atomic<int> flushes{};
std::atomic<bool> disk_is_bad{};

/// In place of the C library's, which the journal calls: counts, and fails where it is told to.
extern "C" int fdatasync(int handle)
{
    if (disk_is_bad)
    {
        errno = EIO;
        return -1;
    }
    auto const done = static_cast<int>(::syscall(SYS_fdatasync, handle));
    ++flushes;
    return done;
}

/// Looks again and again until it is so; a disk may be slow.
template <class Condition>
bool sooner_or_later(Condition const& condition)
{
    auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (!condition())
    {
        if (std::chrono::steady_clock::now() > deadline)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds{5});  // between two looks
    }
    return true;
}

/// True when the journal takes no number; it takes one otherwise.
bool refuses(journal& kept, series_mark const& mark)
{
    try
    {
        kept.note(mark);
        return false;
    }
    catch (journal_failure const&)
    {
        return true;
    }
}

/// That what was noted reaches the disk, and what happens when the disk does not take it.
TEST_SUITE("issuing/journal_flush")
{
    TEST_CASE("what is noted reaches the disk by itself")
    {
        new_journal_folder const folder;
        journal kept{folder.path};
        judge(kept, life({}));
        for (std::int64_t ordinal = 1; ordinal <= 2; ++ordinal)
        {
            auto const before = flushes.load();
            kept.note({1, ordinal, 0});
            CHECK(sooner_or_later([&] { return flushes > before; }));
        }
    }

    TEST_CASE("a flush that fails stops it, until everything was written and flushed again")
    {
        new_journal_folder const folder;
        journal kept{folder.path};
        judge(kept, life({}));
        kept.note({1, 5, 0});
        disk_is_bad = true;
        std::int64_t ordinal = 5;
        CHECK(sooner_or_later([&] { return refuses(kept, {1, ++ordinal, 0}); }));
        CHECK_THROWS_WITH_AS(
            judge(kept, life({})), doctest::Contains("Input/output error"), journal_failure
        );
        disk_is_bad = false;
        CHECK_THROWS_AS(kept.note({1, ordinal, 0}), journal_failure);
        auto const before = flushes.load();
        CHECK(judge(kept, life({{1, ordinal, 0}})).trouble.empty());
        CHECK(flushes > before);
        kept.note({1, ordinal, 0});
        CHECK(known(folder.path, life({})) == std::vector<series_mark>{{1, ordinal, 0}});
    }
}

}  // namespace journal_flush_test
