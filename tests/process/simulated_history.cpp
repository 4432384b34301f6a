#include "simulated_history.hpp"

#include <algorithm>
#include <map>

namespace gapless::test {

namespace {

constexpr int requests_per_series = 60;
constexpr int count_max = 7;
constexpr test_time pause_max = 40;
constexpr test_time work_max = 100;
constexpr std::int64_t microseconds_per_tick = 10'000;

/// One request as the service saw it, before it has a place.
struct request
{
    attempt asked;
    test_time committed{};
    bool answer_lost{};
    bool repeated{};
};

class simulation
{
public:
    explicit simulation(std::mt19937& dice) : dice_{dice} {}

    simulated_history run()
    {
        for (auto const* series : {"dhl", "dpd"})
        {
            draw_requests(series);
            commit(series);
        }
        std::ranges::sort(made_.seen.attempts, {}, &attempt::ended);
        for (auto& tried : made_.seen.attempts)
            tried.sent_at = tried.started * microseconds_per_tick;
        return std::move(made_);
    }

private:
    test_time up_to(test_time most)
    {
        return std::uniform_int_distribution<test_time>{1, most}(dice_);
    }
    bool one_in(int n) { return up_to(n) == 1; }

    void draw_requests(std::string const& series)
    {
        requests_.clear();
        test_time start = 0;
        for (int n = 0; n < requests_per_series; ++n)
        {
            start += up_to(pause_max);
            auto& drawn = requests_.emplace_back();
            drawn.asked.client = one_in(2) ? "shop" : "returns";
            drawn.asked.series = series;
            drawn.asked.key = series + "-" + std::to_string(n);
            drawn.asked.count = static_cast<int>(up_to(count_max));
            drawn.asked.instance = one_in(2) ? "a" : "b";
            drawn.asked.started = start;
            drawn.committed = start + up_to(work_max);
            drawn.asked.ended = drawn.committed + up_to(work_max);
            drawn.answer_lost = one_in(8);
            drawn.repeated = drawn.answer_lost ? !one_in(4) : one_in(8);
        }
        std::ranges::sort(requests_, {}, &request::committed);
    }

    void commit(std::string const& series)
    {
        next_ordinal_ = 1;
        next_serial_ = 0;
        auto const epoch_changes = requests_[requests_.size() / 2].committed;
        made_.seen.healed = 1;
        for (auto& each : requests_)
        {
            refuse_sometimes(each.asked);
            each.asked.epoch = each.committed < epoch_changes ? 1 : 2;
            take(each);
            answer(each);
            if (one_in(6))
                read(series, each.committed);
        }
        finish(series);
    }

    /// An attempt with the same key that ended before anything was executed.
    void refuse_sometimes(attempt const& asked)
    {
        if (!one_in(10))
            return;
        auto refused = asked;
        refused.fate = attempt_fate::fail;
        refused.ended = refused.started;
        refused.started -= 1;
        refused.status = 503;
        refused.executed = "no";
        made_.seen.attempts.push_back(std::move(refused));
    }

    void take(request& taken)
    {
        auto& asked = taken.asked;
        for (std::int64_t left = asked.count; left > 0;)
        {
            if (made_.ledger.blocks.empty() || made_.ledger.blocks.back().series != asked.series ||
                next_serial_ > made_.ledger.blocks.back().last)
                open_block(asked.series);
            auto const& block = made_.ledger.blocks.back();
            auto const piece = std::min(left, block.last - next_serial_ + 1);
            asked.ranges.push_back(
                {block.block, next_serial_, next_serial_ + piece - 1, next_ordinal_}
            );
            made_.ledger.ranges.push_back(
                {asked.series,
                 next_ordinal_,
                 next_serial_,
                 piece,
                 block.block,
                 asked.client,
                 to_ledger_key(asked.key),
                 asked.epoch,
                 0,
                 taken.committed * microseconds_per_tick}
            );
            next_serial_ += piece;
            next_ordinal_ += piece;
            left -= piece;
        }
    }

    void open_block(std::string const& series)
    {
        auto& blocks = made_.ledger.blocks;
        if (!blocks.empty() && blocks.back().series == series)
            blocks.back().state = "exhausted";
        next_block_ += 1;
        next_serial_ = next_block_ * 1'000;
        auto const size = up_to(20);
        blocks.push_back(
            {series,
             next_block_,
             next_serial_,
             next_serial_ + size - 1,
             "open",
             next_ordinal_,
             next_block_}
        );
    }

    void answer(request& done)
    {
        auto first = done.asked;
        first.fate = done.answer_lost ? attempt_fate::info : attempt_fate::ok;
        first.status = done.answer_lost ? 0 : 201;
        first.issuance = first.key;
        if (done.answer_lost)
            first.ranges.clear();
        made_.seen.attempts.push_back(std::move(first));
        if (!done.repeated)
            return;
        auto again = done.asked;
        again.turn = 2;
        again.fate = attempt_fate::ok;
        again.status = 201;
        again.replayed = true;
        again.issuance = again.key;
        again.started = again.ended + up_to(work_max);
        again.ended = again.started + up_to(work_max);
        made_.seen.attempts.push_back(std::move(again));
    }

    void read(std::string const& series, test_time committed)
    {
        attempt seen;
        seen.what = operation::read;
        seen.series = series;
        seen.started = seen.ended = committed;
        seen.fate = attempt_fate::ok;
        seen.status = 200;
        seen.issued = next_ordinal_ - 1;
        // A read that ends with the commit may see it; the next one commits later.
        seen.ended += 1;
        made_.seen.attempts.push_back(std::move(seen));
    }

    void finish(std::string const& series)
    {
        made_.ledger.series.push_back({series, next_ordinal_, next_serial_, 2});
        next_block_ += 1;
        auto const first = next_block_ * 1'000;
        made_.ledger.blocks.push_back(
            {series, next_block_, first, first + 9, "queued", {}, next_block_}
        );
    }

    std::mt19937& dice_;
    simulated_history made_;
    std::vector<request> requests_;
    std::int64_t next_ordinal_{};
    std::int64_t next_serial_{};
    std::int64_t next_block_{};
};

}  // namespace

simulated_history simulate_history(std::mt19937& dice)
{
    return simulation{dice}.run();
}

}  // namespace gapless::test
