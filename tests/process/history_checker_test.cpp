#include "history_mutation.hpp"
#include "support/history_checker.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace gapless::test;

TEST_SUITE("process/history_checker")
{
    TEST_CASE("a sound history gives no alarm")
    {
        for (unsigned seed = 0; seed < histories; ++seed)
        {
            CAPTURE(seed);
            std::mt19937 dice{seed};
            auto const history = simulate_history(dice);
            auto const found = check_history(history.seen, history.ledger);
            CHECK_MESSAGE(found.empty(), (found.empty() ? "" : found.front()));
        }
    }

    TEST_CASE("a number given twice is found")
    {
        check_caught(1, [](auto& history, auto& dice) {
            auto& one = any_answer(history, dice);
            auto& other = any_answer(history, dice);
            if (&one == &other || one.series != other.series)
                return false;
            other.ranges = one.ranges;
            return true;
        });
    }

    TEST_CASE("a number outside of its block is found")
    {
        check_caught(1, [](auto& history, auto& dice) {
            auto& range = any_answer(history, dice).ranges.front();
            range.first += 500;
            range.last += 500;
            return true;
        });
    }

    TEST_CASE("an answer that is wrong on its face is found")
    {
        check_caught(1, [](auto& history, auto& dice) {
            any_answer(history, dice).defect = "the numbers do not match the ranges";
            return true;
        });
    }

    TEST_CASE("two answers to one key are found")
    {
        check_caught(2, [](auto& history, auto& dice) {
            auto const& first = any_answer(history, dice);
            auto again = first;
            again.started = again.ended + 1;
            again.ended = again.started + 1;
            again.replayed = true;
            again.ranges.front().first += 1;
            again.ranges.front().last += 1;
            again.ranges.front().ordinal += 1;
            history.seen.attempts.push_back(again);
            return true;
        });
    }

    TEST_CASE("a key that answers another request is found")
    {
        check_caught(2, [](auto& history, auto& dice) {
            auto again = any_answer(history, dice);
            again.what = operation::reuse;
            again.count += 1;
            history.seen.attempts.push_back(again);
            return true;
        });
    }

    TEST_CASE("a lost acknowledgement is found")
    {
        check_caught(3, [](auto& history, auto& dice) {
            auto& row = row_of(history, any_answer(history, dice));
            row.key = to_ledger_key("nobody");
            return true;
        });
    }

    TEST_CASE("an acknowledged tail that went away is found")
    {
        check_caught(3, [](auto& history, auto&) {
            auto const& last = history.ledger.ranges.back();
            auto const& first = history.ledger.ranges[history.ledger.ranges.size() - 2];
            auto const answered = [&](attempt const& tried) {
                return tried.what == operation::issue && tried.fate == attempt_fate::ok &&
                       to_ledger_key(tried.key) == last.key;
            };
            if (last.block != first.block || !std::ranges::any_of(history.seen.attempts, answered))
                return false;
            history.ledger.series.back().next_ordinal -= last.count;
            *history.ledger.series.back().next_serial -= last.count;
            history.ledger.ranges.pop_back();
            return true;
        });
    }

    TEST_CASE("a gap in the ledger is found")
    {
        check_caught(4, [](auto& history, auto& dice) {
            auto const gone = row_of(history, any_answer(history, dice)).ordinal;
            return std::erase_if(history.ledger.ranges, [&](auto& row) {
                       return row.ordinal == gone;
                   }) > 0;
        });
    }

    TEST_CASE("a double in the ledger is found")
    {
        check_caught(4, [](auto& history, auto& dice) {
            auto const copy = row_of(history, any_answer(history, dice));
            history.ledger.ranges.push_back(copy);
            return true;
        });
    }

    TEST_CASE("a block that starts before the one before is full is found")
    {
        check_caught(4, [](auto& history, auto&) {
            for (auto& block : history.ledger.blocks)
                if (block.state == "exhausted")
                {
                    block.last += 1;
                    return true;
                }
            return false;
        });
    }

    TEST_CASE("a block in the wrong state is found")
    {
        check_caught(4, [](auto& history, auto& dice) {
            auto const used = row_of(history, any_answer(history, dice)).block;
            std::ranges::find(history.ledger.blocks, used, &block_state::block)->state = "queued";
            return true;
        });
    }

    TEST_CASE("a phantom is found")
    {
        check_caught(5, [](auto& history, auto& dice) {
            auto const key = any_answer(history, dice).key;
            return std::erase_if(history.seen.attempts, [&](auto& tried) {
                       return tried.key == key;
                   }) > 0;
        });
    }

    TEST_CASE("a request that was executed although the answer denied it is found")
    {
        check_caught(5, [](auto& history, auto& dice) {
            auto& answer = any_answer(history, dice);
            answer.fate = attempt_fate::fail;
            answer.executed = "no";
            answer.ranges.clear();
            return true;
        });
    }

    TEST_CASE("numbers that changed their requests are found")
    {
        check_caught(3, [](auto& history, auto&) {
            attempt* first = nullptr;
            attempt* second = nullptr;
            if (!pair_in_order(history, first, second))
                return false;
            std::swap(first->ranges, second->ranges);
            return true;
        });
    }

    TEST_CASE("a partial issuance is found, in the answer and in the ledger")
    {
        check_caught(9, [](auto& history, auto& dice) {
            auto& answer = any_answer(history, dice);
            if (answer.count < 2)
                return false;
            answer.ranges.front().last -= 1;
            row_of(history, answer).count -= 1;
            return true;
        });
    }

    TEST_CASE("a request that was executed by an attempt that denied it is found")
    {
        check_caught(5, [](auto& history, auto& dice) {
            auto& denied = any_answer(history, dice);
            auto again = denied;
            again.replayed = true;
            again.started = again.ended + 1;
            again.ended = again.started + 1;
            again.sent_at = row_of(history, denied).issued_at + 1'000'000;
            denied.fate = attempt_fate::fail;
            denied.executed = "no";
            denied.ranges.clear();
            history.seen.attempts.push_back(again);
            return true;
        });
    }
}
