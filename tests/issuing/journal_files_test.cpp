#include "issuing/journal_bench.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <future>

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("issuing/journal_files")
{
    TEST_CASE("of several files the highest mark of each series counts")
    {
        char name[] = "/tmp/gapless-journal-XXXXXX";
        fs::path const folder{::mkdtemp(name)};
        database_life const life{
            1, "00000000-0000-4000-8000-000000000001", "5", 77, "00000001", {}, false};
        auto const nothing_issued = [] { return std::vector<series_mark>{}; };
        journal one{folder};
        journal other{folder};
        auto const read_life = [&] { return life; };
        one.judge(read_life, nothing_issued);
        other.judge(read_life, nothing_issued);
        // Whichever file is read last.
        one.note({1, 7, 0});
        other.note({1, 5, 1});
        one.note({2, 5, 1});
        other.note({2, 7, 0});
        std::vector<series_mark> present;
        auto const known = journal::read(folder, life, nothing_issued, present);
        CHECK(known == std::vector<series_mark>{{1, 7, 1}, {2, 7, 1}});
        fs::remove_all(folder);
    }

    TEST_CASE("a connection that waits while the other opens the next epoch sees no step back")
    {
        new_journal_folder const folder;
        journal kept{folder.path};
        judge(kept, life({}));
        std::atomic<int> epoch{1};
        std::future<admission> other;
        auto const read_life = [&] {
            auto read = life({}, epoch).life;
            other = std::async(std::launch::async, [&] {
                epoch = 2;
                return judge(kept, life({}, 2));
            });
            // Its turn comes only after this one's, so waiting for it ends by the clock.
            other.wait_for(std::chrono::milliseconds{300});
            return read;
        };
        auto const admitted = kept.judge(read_life, [] { return std::vector<series_mark>{}; });
        CHECK(admitted.trouble.empty());
        CHECK(other.get().trouble.empty());
        CHECK(!judge(kept, life({}, 1)).trouble.empty());
    }
}
