#include "epochs/epoch_standing.hpp"
#include "issuing/journal_bench.hpp"

#include <doctest/doctest.h>

#include <fstream>

namespace epoch_standing_test {

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("epochs/epoch_standing")
{
    TEST_CASE("an anchor proves more numbers, and takes away no moment that a journal knows")
    {
        new_journal_folder const folder;
        series_mark::moment const at{std::chrono::hours{1}};
        {
            journal kept{folder.path};
            judge(kept, life({}));
            kept.note({1, 90, 2, at, at, true});
        }
        auto const anchors = folder.path / "anchors";
        std::ofstream{anchors} << R"({"database":")" << database_id
                               << R"(","epoch":"1","series":"s","link":"1","ordinal":"95",)"
                                  R"("turn":"3","event":"0","hash":"00","sealed_at":"then"})"
                                  "\n";
        auto const look = [] {
            epoch_record found;
            found.life = life({}).life;
            found.marks = {{1, 80, 1}};
            found.series = {"s"};
            return found;
        };
        auto const all = cli::compare({{folder.path}, {anchors}}, look);
        REQUIRE(all.size() == 1);
        CHECK(all[0].behind() == 15);
        CHECK(all[0].dated == series_mark{1, 90, 2});
        CHECK(all[0].dated.ordinal_at == at);
        CHECK(all[0].dated.turn_at == at);
    }
}

}  // namespace epoch_standing_test
