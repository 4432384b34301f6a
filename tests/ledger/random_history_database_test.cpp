#include "harness/history_model.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <optional>
#include <random>

namespace random_history_test {

using namespace gapless;
using test::issuing;
using test::model;
using test::model_block;
using test::model_series;
using test::wanted;

std::int32_t to_int(std::string const& text)
{
    std::int32_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// Does one thing after the other to a database and to the model, and compares.
struct history : issuing
{
    std::mt19937 dice;
    model expected;
    int keys{};

    int roll(int from, int to) { return std::uniform_int_distribution<int>{from, to}(dice); }

    std::string any_series() { return roll(0, 2) == 0 ? "t" : "s"; }

    void begin(unsigned seed)
    {
        dice.seed(seed);
        create_series("s", {});
        create_series("t", {});
        expected.series["s"];
        expected.series["t"];
    }

    void step()
    {
        auto const what = roll(1, 100);
        if (what <= 50)
            issue_some();
        else if (what <= 60)
            issue_plainly();
        else if (what <= 80)
            load_one();
        else if (what <= 84)
            close_one();
        else if (what <= 88)
            withdraw_one();
        else if (what <= 90)
            recall_one();
        else if (what <= 95)
            move_one();
        else
            pause_or_resume();
    }

    wanted any_request()
    {
        bool const old = keys > 0 && roll(1, 6) == 1;
        auto const key = "key-" + std::to_string(old ? roll(std::max(1, keys - 8), keys) : ++keys);
        auto const count = roll(1, 4) == 1 ? roll(1, 40) : roll(1, 3);
        return {key, count, roll(1, 5) == 1 ? "order" : "", roll(1, 8) == 1};
    }

    void issue_some()
    {
        auto const name = any_series();
        std::vector<wanted> batch;
        std::string outcomes;
        for (int n = roll(1, 5); n > 0; --n)
        {
            batch.push_back(any_request());
            outcomes += (outcomes.empty() ? "" : ", ") + expected.issue(name, batch.back());
        }
        CHECK(issue_batch(name, batch) == outcomes);
    }

    /// The fast path does all of a batch or nothing of it.
    void issue_plainly()
    {
        auto const name = any_series();
        auto& one = expected.series[name];
        std::vector<wanted> batch;
        std::int64_t total = 0;
        for (int n = roll(1, 5); n > 0; --n)
        {
            batch.push_back({"key-" + std::to_string(++keys), roll(1, 3)});
            total += batch.back().count;
        }
        bool const plain = !one.paused && one.room_in_one_piece() >= total;
        std::string outcomes;
        for (auto const& request : batch)
            outcomes +=
                (outcomes.empty() ? "" : ", ") + (plain ? expected.issue(name, request) : "");
        CHECK(issuing::issue_plain(name, batch) == (plain ? outcomes : "nothing"));
    }

    void load_one()
    {
        std::int64_t const first = roll(0, 5000);
        load({first, first + (roll(1, 3) == 1 ? 0 : roll(0, 30))});
    }

    void load(test::block_ends const& ends)
    {
        auto const name = any_series();
        auto const outcome =
            run("select gapless.block_load('" + name + "', " + std::to_string(ends.first) + ", " +
                std::to_string(ends.last) + ", null, null, null, 'test')");
        if (expected.overlaps(ends))
        {
            CHECK(outcome == "refused: block-overlap");
            return;
        }
        REQUIRE_FALSE(outcome.starts_with("refused"));
        expected.loaded.push_back(ends);
        expected.series[name].queue.push_back({to_int(outcome), ends.first, ends.first, ends.last});
    }

    void close_one()
    {
        auto& one = expected.series[any_series()];
        if (one.queue.empty())
            return;
        auto const place = roll(0, static_cast<int>(one.queue.size()) - 1);
        auto const block = one.queue[static_cast<std::size_t>(place)];
        auto const outcome =
            run("select gapless.block_close(" + std::to_string(block.id) + ", 'test', 'test')");
        if (block.next > block.last)
        {
            CHECK(outcome == "refused: state-conflict");
            return;
        }
        CHECK(outcome == std::to_string(block.last - block.next + 1));
        one.end(static_cast<std::size_t>(place));
    }

    /// A block of any series, in any state but withdrawn.
    std::optional<std::reference_wrapper<model_block>> any_block(model_series& one)
    {
        auto const blocks = one.queue.size() + one.ended.size();
        return one.block_at(static_cast<std::size_t>(roll(0, static_cast<int>(blocks))));
    }

    /// Of which nothing left: its numbers can be loaded again at once, into any series.
    void withdraw_one()
    {
        auto& one = expected.series[any_series()];
        auto const found = any_block(one);
        if (!found)
            return;
        auto const block = found->get();
        auto const outcome =
            run("select gapless.block_withdraw(" + std::to_string(block.id) + ", 'test', 'test')");
        if (block.next > block.first)
        {
            CHECK(outcome == "refused: state-conflict");
            return;
        }
        REQUIRE(outcome.empty());
        auto const is_it = [&](model_block const& other) { return other.id == block.id; };
        std::erase_if(one.queue, is_it);
        std::erase_if(one.ended, is_it);
        std::erase_if(expected.loaded, [&](auto const& ends) { return ends.first == block.first; });
        CHECK_FALSE(expected.overlaps({block.first, block.last}));
        load({block.first, block.last});
    }

    void recall_one()
    {
        auto& one = expected.series[any_series()];
        auto const found = any_block(one);
        if (!found)
            return;
        auto const block = found->get();
        CHECK(run("select gapless.block_recall(" + std::to_string(block.id) + ", 'test', 'test')")
                  .empty());
        for (std::size_t place = 0; place < one.queue.size(); ++place)
            if (one.queue[place].id == block.id && block.next <= block.last)
                return one.end(place);
    }

    /// What gapless verify --chain finds after everything was sealed.
    std::string chain()
    {
        return run("select gapless.seal(1), gapless.seal(2), gapless.seal(0); "
                   "select distinct c.findings from gapless.series s, "
                   "gapless.verify_chain(s.series_id) c");
    }

    void move_one()
    {
        auto& one = expected.series[any_series()];
        auto const queued = one.opened ? 1 : 0;
        auto const size = static_cast<int>(one.queue.size());
        if (size - queued < 2)
            return;
        auto const from = roll(queued, size - 1);
        auto const to = roll(queued, size);  // size: to the end
        auto const block = one.queue[static_cast<std::size_t>(from)];
        auto const before = to == size ? std::string{"null"}
                                       : std::to_string(one.queue[static_cast<std::size_t>(to)].id);
        CHECK(run("select gapless.block_move(" + std::to_string(block.id) + ", " + before +
                  ", 'test')")
                  .empty());
        one.queue.erase(one.queue.begin() + from);
        one.queue.insert(one.queue.begin() + (to > from ? to - 1 : to), block);
    }

    void pause_or_resume()
    {
        auto const name = any_series();
        auto& paused = expected.series[name].paused;
        paused = !paused && roll(1, 3) == 1;
        run("select gapless.series_change('" + name +
            "', '{\"paused\": " + (paused ? "true" : "false") + "}', null, 'test')");
    }
};

TEST_SUITE("ledger/random_history_database")
{
    TEST_CASE("whatever happens in whatever order, the numbers are those that come next")
    {
        constexpr int histories = 2;
        constexpr int steps = 250;
        auto const* given = std::getenv("GAPLESS_TEST_SEED");
        auto const seed =
            given ? static_cast<unsigned>(to_int(given)) : std::random_device{}() >> 1;
        MESSAGE("GAPLESS_TEST_SEED=", seed);

        for (unsigned n = 0; n < histories; ++n)
        {
            CAPTURE(seed + n);
            history one;
            one.begin(seed + n);
            for (int step = 1; step <= steps; ++step)
            {
                CAPTURE(step);
                one.step();
                if (step % 50 == 0)
                    REQUIRE(one.verify() == "gapless");
            }
            CHECK(one.chain() == "[]");
            for (auto const& [name, series] : one.expected.series)
                CHECK(
                    one.run("select remaining from gapless.series_report('" + name + "')") ==
                    std::to_string(series.remaining())
                );
            CHECK(
                one.run("select count(*) from gapless.ledger where key is not null") ==
                std::to_string(one.expected.answers.size())
            );
        }
    }
}

}  // namespace random_history_test
