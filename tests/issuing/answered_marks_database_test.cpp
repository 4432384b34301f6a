#include "issuing/answered_marks.hpp"
#include "issuing/queue_core_bench.hpp"

#include <string>
#include <vector>

namespace answered_marks_test {

using namespace gapless;
using test::queue_core_bench;

/// An answer of series 1 with one number.
struct answered
{
    std::int64_t ordinal{};
    std::int32_t turn{};
    std::int32_t epoch{1};
    bool replayed{};
};

std::vector<result<issuance>> to_answers(std::vector<answered> const& all)
{
    std::vector<result<issuance>> answers;
    for (auto const& one : all)
    {
        issuance issued;
        issued.series_id = 1;
        issued.epoch = one.epoch;
        issued.replayed = one.replayed;
        issued.ranges.push_back({.count = 1, .ordinal = one.ordinal, .turn = one.turn});
        answers.emplace_back(std::move(issued));
    }
    return answers;
}

TEST_SUITE("issuing/answered_marks_database")
{
    TEST_CASE("a batch contradicts what was answered before, and never itself")
    {
        struct row
        {
            char const* what;
            std::vector<answered> batch;
            bool contradicts{};
        };
        // Ordinal 10 in turn 0 and 4 in turn 3 were answered in epoch 1.
        std::vector<row> const rows{
            {"the next number", {{11}}},
            {"two in one batch", {{11}, {12}}},
            {"the same number", {{10}}, true},
            {"an earlier one", {{9}}, true},
            {"beside a right one", {{11}, {5}}, true},
            {"a replay", {{.ordinal = 5, .replayed = true}}},
            {"the next reissue, of whatever number", {{2, 4}}},
            {"two reissues and a fresh number", {{2, 4}, {3, 5}, {11, 0}}},
            {"a reissue in a turn that was answered", {{2, 3}}, true},
            {"a turn that was answered, in the epoch after a failover",
             {{.ordinal = 2, .turn = 1, .epoch = 2}},
             true},
            {"a fresh number of the next epoch", {{.ordinal = 10, .epoch = 2}}, true},
        };
        for (auto const& [what, batch, contradicts] : rows)
        {
            CAPTURE(what);
            answered_marks marks;
            CHECK(marks.take(to_answers({{10, 0}, {4, 3}})).empty());
            CHECK(marks.take(to_answers(batch)).empty() != contradicts);
        }
    }

    TEST_CASE("what the database had issued counts on its server, and is no contradiction")
    {
        answered_marks marks;
        marks.connect("a", {.epoch = 1, .marks = {{1, 10, 3}, {2, 5, 0}}});
        CHECK(marks.of(1) == series_mark{1, 10, 3});
        // Both connections: what the second one finds may have been answered to the first one
        // since.
        CHECK(marks.take(to_answers({{10}, {4, 2}})).empty());
        marks.connect("a", {.epoch = 1, .marks = {{1, 7, 0}}});
        CHECK(marks.of(1) == series_mark{1, 10, 3});
        // A failover may lose what nobody was answered.
        marks.connect("b", {.epoch = 2, .marks = {{2, 4, 0}}});
        CHECK(marks.of(1) == series_mark{1, 10, 2});
        CHECK(marks.of(2) == series_mark{2, 4, 0});
        CHECK(marks.epoch() == 2);
        // An operator's epoch voids what could be reissued.
        marks.connect("b", {.epoch = 3, .marks = {{2, 4, 0}}, .voided_epoch = 3});
        CHECK(marks.of(1) == series_mark{1, 10, 0});
        CHECK(marks.take(to_answers({{.ordinal = 2, .turn = 1, .epoch = 3}})).empty());
        // Back on a server whose epoch is over: its turns are nothing.
        marks.connect("a", {.epoch = 1, .marks = {{2, 5, 8}}});
        CHECK(marks.of(2) == series_mark{2, 5, 0});
        CHECK(marks.epoch() == 3);
    }

    TEST_CASE_FIXTURE(queue_core_bench, "numbers that contradict earlier answers are not answered")
    {
        CHECK(leave({"1a"}) == "quick:1a");
        CHECK(end(connection_kind::quick, batch_fate::done) == "=1a");
        CHECK(leave({"1b"}) == "quick:1b");
        put_back();
        CHECK(end(connection_kind::quick, batch_fate::done) == "accused");
        // It happened, in a database that is to be fenced: it is not told "no".
        CHECK(refuse_all(refusal_kind::fenced) == "");
        pass(std::chrono::seconds{10});
        CHECK(sweep() == "1b:outcome-unknown");
    }
}

}  // namespace answered_marks_test
