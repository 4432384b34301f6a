#include "store/journal.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace gapless;
namespace fs = std::filesystem;

TEST_SUITE("store/journal_files")
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
        one.judge(life, nothing_issued);
        other.judge(life, nothing_issued);
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
}
