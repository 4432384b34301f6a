#include "issuing/queue_bench.hpp"
#include "postgres/query.hpp"

#include <map>

namespace many_series_test {

using namespace gapless;
using namespace std::chrono_literals;
using test::queue_bench;

/// Three series with an open block each; the numbers tell them apart: 100…, 200…, 300….
struct three_series : queue_bench
{
    void open_all(queue_limits const& limits = {})
    {
        watch({.remember = [this](series_mark const& mark) { marks_[mark.series_id] = mark; }});
        begin({{100, 199}}, limits);
        ids_ = {series_id(), create_series("t", {{200, 299}}), create_series("u", {{300, 399}})};
        for (std::size_t n = 0; n < ids_.size(); ++n)
            outcome(ask(n, {"opens " + std::to_string(n)}));
        batches_ = counters().batches;
    }

    std::size_t ask(std::size_t series, test::wish const& wanted)
    {
        set_series_id(ids_[series]);
        return submit(wanted);
    }

    /// Each series' mark as it was noted last: "1:2 2:5".
    std::string noted() const
    {
        std::string all;
        for (auto const& [series_id, mark] : marks_)
            all += (all.empty() ? "" : " ") + std::to_string(series_id) + ':' +
                   std::to_string(mark.ordinal) +
                   (mark.turn > 0 ? " in turn " + std::to_string(mark.turn) : "");
        return all;
    }

    /// Since the blocks were opened.
    std::uint64_t batches() { return counters().batches - batches_; }

private:
    std::vector<std::int32_t> ids_;
    std::map<std::int32_t, series_mark> marks_;
    std::uint64_t batches_{};
};

TEST_SUITE("issuing/many_series_database")
{
    TEST_CASE_FIXTURE(three_series, "requests of several series share one transaction")
    {
        open_all();
        // In another order than that of their ids.
        auto const d = ask(2, {.key = "d", .count = 2, .reference = "order 4711"});
        auto const a = ask(0, {"a", 3});
        auto const b = ask(1, {"b"});
        auto const c = ask(0, {"c"});

        CHECK(outcome(a) == "101-103");
        CHECK(outcome(b) == "201-201");
        CHECK(outcome(c) == "104-104");
        CHECK(outcome(d) == "301-302");
        CHECK(batches() == 1);
        CHECK(
            run("select count(distinct xmin::text) from gapless.ledger where ordinal > 1") == "1"
        );
        CHECK(run("select count(*) from gapless.ledger where reference = 'order 4711'") == "1");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(queue_bench, "the first number of a series is as plain as the second")
    {
        constexpr int series = 20;
        begin({});
        std::vector<std::int32_t> ids;
        for (int n = 0; n < series; ++n)
        {
            auto const name = "s" + std::to_string(n);
            ids.push_back(create_series(name, {{100, 100}, {200, 299}}, name));
        }
        // The second round finds the first block used up.
        for (std::string const round : {"100-100", "200-200"})
        {
            std::vector<std::size_t> asked;
            for (auto const id : ids)
            {
                set_series_id(id);
                asked.push_back(submit({round + std::to_string(id)}));
            }
            for (auto const each : asked)
                CHECK(outcome(each) == round);
        }
        CHECK(counters().batches <= 6);
        CHECK(counters().looked_up_batches == 0);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(three_series, "each series of a batch is noted, however many it has")
    {
        open_all();
        auto const a = ask(0, {"a", 3});
        auto const b = ask(1, {"b"});
        auto const c = ask(2, {"c", 2});
        auto const d = ask(0, {"d"});
        for (auto const each : {a, b, c, d})
            CHECK(outcome(each).find("refused") == std::string::npos);
        CHECK(batches() == 1);
        CHECK(noted() == "1:5 2:2 3:3");
    }

    TEST_CASE_FIXTURE(three_series, "what came back goes first, and its turn is noted")
    {
        open_all();
        CHECK(outcome(ask(1, {.key = "h", .count = 2, .hold_seconds = 60})) == "201-202");
        run("select gapless.hold_settle(2, 0, 2, null, false, 'me')");
        auto const a = ask(0, {"a"});
        auto const b = ask(1, {"b"});
        CHECK(outcome(a) == "101-101");
        CHECK(outcome(b) == "201-201");
        CHECK(noted() == "1:2 2:2 in turn 1 3:1");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(three_series, "a series that is not plain is refused alone")
    {
        open_all();
        run("update gapless.counter set paused = true where series_id = 2");
        auto const a = ask(0, {"a"});
        auto const b = ask(1, {"b"});
        auto const c = ask(2, {"c"});

        CHECK(outcome(a) == "101-101");
        CHECK(outcome(b) == "refused: series-paused");
        CHECK(outcome(c) == "301-301");

        // From now on it does not join the others.
        auto const before = batches();
        auto const d = ask(0, {"d"});
        auto const e = ask(1, {"e"});
        auto const f = ask(2, {"f"});
        CHECK(outcome(d) == "102-102");
        CHECK(outcome(e) == "refused: series-paused");
        CHECK(outcome(f) == "302-302");
        CHECK(batches() - before <= 3);
        CHECK(counters().looked_up_batches >= 2);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        three_series, "a key spent in another series is refused, its neighbours leave"
    )
    {
        open_all();
        auto const a = ask(0, {"same"});
        auto const b = ask(1, {"same"});
        auto const c = ask(2, {"c"});

        CHECK(outcome(a) == "101-101");
        CHECK(outcome(b) == "refused: idempotency-key-reused");
        CHECK(outcome(c) == "301-301");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(three_series, "a connection lost on the way is resolved in every series")
    {
        open_all();
        test::commit_holder holder{*this};
        auto const a = ask(0, {"a", 3});
        auto const b = ask(1, {"b"});
        run("select pg_terminate_backend(" + blocked_backend() + ")");
        holder.release();

        CHECK(outcome(a) == "101-103");
        CHECK(outcome(b) == "201-201");
        CHECK(counters().unknown_batches == 1);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(three_series, "a series that is locked holds up nobody but itself")
    {
        open_all({.issue_time_max = 1'000ms});
        test::row_holder holder{*this, 2};
        auto const a = ask(0, {"a"});
        auto const b = ask(1, {"b"});
        auto const c = ask(2, {"c"});

        CHECK(outcome(a) == "101-101");
        CHECK(outcome(c) == "301-301");
        for (int k = 0; k < 20; ++k)
        {
            auto const d = ask(0, {"d" + std::to_string(k)});
            CHECK(outcome(d) == std::to_string(102 + k) + "-" + std::to_string(102 + k));
        }
        CHECK_FALSE(has_outcome(b));
        CHECK(outcome(b) == "refused: overloaded");
        holder.release();
        CHECK(outcome(ask(1, {"b"})) == "201-201");
        CHECK(counters().unknown_batches == 0);
        CHECK(verify() == "gapless");
    }
}

}  // namespace many_series_test
