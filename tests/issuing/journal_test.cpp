#include "harness/file_size_limit.hpp"
#include "issuing/journal_bench.hpp"

#include <doctest/doctest.h>

namespace journal_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::streamoff slot_bytes = 128;
constexpr std::streamoff record_bytes = 64;

TEST_SUITE("issuing/journal")
{
    TEST_CASE("what was noted is known to the next instance")
    {
        new_journal_folder const folder;
        {
            journal kept{folder.path};
            CHECK(judge(kept, life({{1, 0, 0}})).trouble.empty());
            kept.note({1, 5, 0});
            kept.note({2, 1, 0});
            kept.note({1, 4, 0});  // older: nothing to learn
        }
        CHECK(known(folder.path, life({})) == std::vector<series_mark>{{1, 5, 0}, {2, 1, 0}});
        auto other = life({{1, 1, 0}});
        other.life.database_id = "another";
        CHECK(known(folder.path, other).empty());
        CHECK(judged(folder.path, life({{1, 5, 0}, {2, 9, 3}})).empty());
    }

    TEST_CASE("the serial of the latest number is kept with it")
    {
        new_journal_folder const folder;
        journal kept{folder.path};
        CHECK(judge(kept, life({{1, 0, 0}})).trouble.empty());
        auto const next = [&](series_mark const& mark) {
            kept.note(mark);
            return known(folder.path, life({})).front().next_serial;
        };
        constexpr std::int64_t last = 9'223'372'036'854'775'806;
        CHECK(next({.series_id = 1, .ordinal = 5, .next_serial = last + 1}) == last + 1);
        CHECK(next({.series_id = 1, .ordinal = 4, .next_serial = 7}) == last + 1);
        CHECK(next({.series_id = 1, .ordinal = 5, .turn = 1, .next_serial = 7}) == last + 1);
        CHECK(next({.series_id = 1, .ordinal = 6}) == 0);
    }

    TEST_CASE("a database that is behind in one series is refused, and told")
    {
        new_journal_folder const folder;
        {
            journal kept{folder.path};
            judge(kept, life({}));
            kept.note({1, 5, 2});
        }
        journal kept{folder.path};
        auto const behind = judge(kept, life({{1, 4, 2}, {2, 50, 0}}));
        CHECK(
            behind.trouble ==
            "the database lacks issued numbers: series 1 is at ordinal 4 in turn 2, but ordinal 5 "
            "in turn 2 was answered"
        );
        CHECK(behind.raise);
        CHECK(!judge(kept, life({})).trouble.empty());
        CHECK(!judge(kept, life({{1, 5, 1}})).trouble.empty());
        // A new epoch has voided whatever could leave again, but ordinals stay gone.
        CHECK(judge(kept, life({{1, 5, 0}}, 2)).trouble.empty());
        CHECK(!judge(kept, life({{1, 4, 0}}, 2)).trouble.empty());
    }

    TEST_CASE("progress that is only a turn is noted, and never forgotten")
    {
        new_journal_folder const folder;
        journal kept{folder.path};
        judge(kept, life({}));
        kept.note({1, 5, 0});
        kept.note({1, 5, 1});
        kept.note({1, 2, 2});  // lower numbers came back and left again
        CHECK(known(folder.path, life({})) == std::vector<series_mark>{{1, 5, 2}});
        CHECK(judge(kept, life({{1, 5, 1}})).raise);
        CHECK(judge(kept, life({{1, 5, 2}})).trouble.empty());
    }

    TEST_CASE("the moment of a series never goes back, and is unknown rather than too early")
    {
        new_journal_folder const folder;
        journal kept{folder.path};
        judge(kept, life({}));
        auto const note = [&](std::int64_t ordinal, std::int32_t turn, int second, bool is_new) {
            series_mark::moment const at{std::chrono::seconds{second}};
            kept.note({1, ordinal, turn, at, at, is_new});
            auto const noted = known(folder.path, life({})).front().ordinal_at.time_since_epoch();
            return noted / std::chrono::seconds{1};
        };
        CHECK(note(5, 0, 100, true) == 100);
        CHECK(note(6, 2, 90, false) == 100);
        CHECK(note(6, 3, 0, false) == 0);
        CHECK(note(7, 3, 110, false) == 0);
        CHECK(note(8, 3, 120, true) == 120);
    }

    TEST_CASE("turns of an earlier epoch count for nothing, however often it is judged")
    {
        new_journal_folder const folder;
        journal kept{folder.path};
        journal beside{folder.path};
        for (auto* each : {&kept, &beside})
        {
            judge(*each, life({}));
            each->note({1, 5, 2});
        }
        CHECK(judge(kept, life({{1, 5, 0}})).raise);
        // Each connection of each instance asks.
        for (auto* each : {&kept, &kept, &beside, &beside, &kept})
            CHECK(judge(*each, life({{1, 5, 0}}, 2)).trouble.empty());
        kept.note({1, 5, 1});
        CHECK(judge(beside, life({{1, 5, 0}}, 2)).raise);
        CHECK(judge(beside, life({{1, 5, 1}}, 2)).trouble.empty());
        CHECK(judge(kept, life({{1, 4, 1}}, 2)).raise);
    }

    TEST_CASE("turns count on in an epoch that follows a failover")
    {
        new_journal_folder const folder;
        journal kept{folder.path};
        judge(kept, life({}));
        kept.note({1, 5, 2});
        auto followed = life({{1, 5, 1}}, 2);
        followed.life.voided_epoch = 0;
        CHECK(judge(kept, followed).raise);
        followed.marks = {{1, 5, 2}};
        CHECK(judge(kept, followed).trouble.empty());
        followed.marks = {{1, 5, 1}};
        CHECK(judge(kept, followed).raise);
        // What an operator opens afterwards voids them; others may have reissued since.
        CHECK(judge(kept, life({{1, 5, 4}}, 3)).trouble.empty());
        CHECK(known(folder.path, life({}, 3)) == std::vector<series_mark>{{1, 5, 0}});
    }

    TEST_CASE("epochs never go back")
    {
        new_journal_folder const folder;
        {
            journal kept{folder.path};
            CHECK(judge(kept, life({}, 3)).trouble.empty());
        }
        CHECK(!judged(folder.path, life({}, 2)).empty());
        CHECK(judged(folder.path, life({}, 3)).empty());
    }

    TEST_CASE("a journal keeps its id, whoever opens it, and every file has its own")
    {
        new_journal_folder const folder;
        std::string id;
        {
            journal kept{folder.path};
            id = judge(kept, life({})).journal;
            CHECK(id.size() == 36);
            kept.note({1, 5, 2});
            journal beside{folder.path};
            CHECK(judge(beside, life({{1, 5, 2}}, 4)).journal != id);
            CHECK(judge(kept, life({{1, 4, 0}})).journal.empty());
        }
        journal again{folder.path};
        CHECK(judge(again, life({{1, 5, 2}}, 2)).journal == id);
        auto const each = journal::read_each(folder.path, database_id, "5");
        REQUIRE(each.size() == 2);
        CHECK(each[0].file == folder.file(1).string());
        CHECK(each[0].id == id);
        CHECK(each[0].epoch == 2);
        CHECK(each[0].marks == std::vector<series_mark>{{1, 5, 0}});
        CHECK(each[1].epoch == 4);
        CHECK(journal::read_each(folder.path, database_id, "6").empty());
    }

    TEST_CASE("a failover is followed only by who has noted something")
    {
        new_journal_folder const folder;
        journal kept{folder.path};
        auto moved = life({{1, 5, 0}});
        moved.life.trouble = "another timeline";
        moved.life.movable = true;
        CHECK(judge(kept, moved).trouble == "another timeline");
        kept.note({1, 5, 0});
        auto const followed = judge(kept, moved);
        CHECK(followed.trouble.empty());
        CHECK(followed.follow);
        moved.marks = {{1, 4, 0}};
        CHECK(judge(kept, moved).raise);
        moved.life.movable = false;
        CHECK(!judge(kept, moved).raise);
    }

    TEST_CASE("each instance has a file, and all of them count")
    {
        new_journal_folder const folder;
        journal one{folder.path};
        journal other{folder.path};
        CHECK(judge(one, life({})).trouble.empty());
        CHECK(judge(other, life({})).trouble.empty());
        CHECK(fs::exists(folder.file(2)));
        one.note({1, 7, 0});
        CHECK(!judge(other, life({{1, 6, 0}})).trouble.empty());
        CHECK(judge(other, life({{1, 7, 0}})).trouble.empty());
    }

    TEST_CASE("a database out of a dump is judged by its other copies, a copy of a template is not")
    {
        new_journal_folder const folder;
        {
            journal kept{folder.path};
            judge(kept, life({}));
            kept.note({1, 7, 0});
        }
        auto copy = life({{1, 6, 0}});
        copy.life.database_oid = "6";
        CHECK(!judged(folder.path, copy).empty());
        CHECK(!judged(folder.path, copy).empty());
        copy.marks = {{1, 7, 0}};
        CHECK(judged(folder.path, copy).empty());
        // It has a file of its own by now, which knows what the others did.
        copy.marks = {{1, 6, 0}};
        CHECK(!judged(folder.path, copy).empty());
        auto fresh = life({{1, 0, 0}});
        fresh.life.database_oid = "7";
        // The dump was from before the first number.
        fresh.life.trouble = "a restored dump";
        CHECK(judged(folder.path, fresh).find("lacks issued numbers") != std::string::npos);
        fresh.life.trouble.clear();
        CHECK(judged(folder.path, fresh).empty());
        fresh.marks = {{1, 1, 0}};
        CHECK(judged(folder.path, fresh).empty());
    }

    TEST_CASE("a torn write leaves the record before it")
    {
        new_journal_folder const folder;
        {
            journal kept{folder.path};
            judge(kept, life({}));
            for (std::int64_t ordinal = 1; ordinal <= 4; ++ordinal)
                kept.note({1, ordinal, 0});
        }
        // Version 4 stands in the first half of the second slot, version 3 in the other.
        folder.spoil(slot_bytes + 20, 10);
        CHECK(known(folder.path, life({})) == std::vector<series_mark>{{1, 3, 0}});
    }

    TEST_CASE("first writes of series that a power failure made zeros are forgotten")
    {
        new_journal_folder const folder;
        {
            journal kept{folder.path};
            judge(kept, life({}));
            kept.note({1, 1, 0});
        }
        for (auto const size : {384U, 640U, 704U})  // one slot, three, half a one more
        {
            CAPTURE(size);
            fs::resize_file(folder.file(), size);
            CHECK(known(folder.path, life({})) == std::vector<series_mark>{{1, 1, 0}});
        }
        {
            journal kept{folder.path};
            judge(kept, life({}));
            kept.note({2, 1, 0});
            kept.note({3, 1, 0});
        }
        CHECK(
            known(folder.path, life({})) ==
            std::vector<series_mark>{{1, 1, 0}, {2, 1, 0}, {3, 1, 0}}
        );
        fs::resize_file(folder.file(), 256);
        fs::resize_file(folder.file(), 512);
        folder.spoil(3 * slot_bytes, record_bytes);  // zeros in front of something else
        CHECK_THROWS_WITH_AS(
            judged(folder.path, life({})),
            doctest::Contains("it is damaged at byte 256"),
            journal_failure
        );
    }

    TEST_CASE("a damaged journal is told, not taken for an empty one")
    {
        new_journal_folder const folder;
        {
            journal kept{folder.path};
            judge(kept, life({}));
            kept.note({1, 1, 0});
            kept.note({2, 1, 0});
        }
        folder.spoil(2 * slot_bytes, 2 * record_bytes);  // the last one
        CHECK_THROWS_WITH_AS(
            judged(folder.path, life({{1, 1, 0}})),
            doctest::Contains("it is damaged at byte 256"),
            journal_failure
        );
        folder.spoil(slot_bytes, 2 * record_bytes);
        CHECK_THROWS_WITH_AS(
            judged(folder.path, life({{1, 1, 0}})),
            doctest::Contains("it is damaged at byte 128"),
            journal_failure
        );
    }

    TEST_CASE("a full disk stops it, room on the disk lets it go on with nothing forgotten")
    {
        new_journal_folder const folder;
        journal kept{folder.path};
        judge(kept, life({}));
        kept.note({1, 5, 0});
        {
            file_size_limit const full{2 * slot_bytes};
            CHECK_THROWS_AS(kept.note({2, 7, 0}), journal_failure);
            CHECK_THROWS_WITH_AS(
                kept.note({1, 6, 0}), doctest::Contains("File too large"), journal_failure
            );
            CHECK_THROWS_WITH_AS(
                judge(kept, life({})), doctest::Contains("File too large"), journal_failure
            );
        }
        CHECK_THROWS_AS(kept.note({1, 6, 0}), journal_failure);
        CHECK(judge(kept, life({{1, 5, 0}, {2, 7, 0}})).trouble.empty());
        kept.note({1, 6, 0});
        CHECK(known(folder.path, life({})) == std::vector<series_mark>{{1, 6, 0}, {2, 7, 0}});
    }

    TEST_CASE("a folder that cannot be made is told with the option")
    {
        CHECK_THROWS_WITH_AS(
            journal{"/proc/gapless"}, doctest::Contains("--journal"), journal_failure
        );
    }

    TEST_CASE("a folder that is gone refuses until it is back, and nothing is forgotten")
    {
        new_journal_folder const folder;
        auto const moved = folder.path.string() + "-moved";
        journal kept{folder.path};
        judge(kept, life({}));
        kept.note({1, 5, 0});
        fs::rename(folder.path, moved);
        CHECK_THROWS_WITH_AS(
            judge(kept, life({{1, 5, 0}})), doctest::Contains("cannot be read"), journal_failure
        );
        fs::rename(moved, folder.path);
        CHECK(judge(kept, life({{1, 5, 0}})).trouble.empty());
        CHECK(!judge(kept, life({{1, 4, 0}})).trouble.empty());
    }

    TEST_CASE("numbers are noted while a database is asked how far it has come")
    {
        new_journal_folder const folder;
        journal kept{folder.path};
        judge(kept, life({}));
        auto const asked = life({{1, 6, 0}});
        auto const read_life = [&] { return asked.life; };
        auto const admitted = kept.judge(read_life, [&] {
            kept.note({1, 6, 0});  // by the other connection; it must not wait for this answer
            return asked.marks;
        });
        CHECK(admitted.trouble.empty());
        CHECK(known(folder.path, life({})) == std::vector<series_mark>{{1, 6, 0}});
    }
}

}  // namespace journal_test
