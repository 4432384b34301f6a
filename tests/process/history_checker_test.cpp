#include "simulated_history.hpp"
#include "support/history_checker.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

using namespace gapless::test;

namespace {

constexpr int histories = 100;

using mutation = std::function<bool(simulated_history&, std::mt19937&)>;

std::size_t draw(std::mt19937& dice, std::size_t size)
{
    return std::uniform_int_distribution<std::size_t>{0, size - 1}(dice);
}

/// The attempts that took numbers in one piece and whose key was tried once.
std::vector<attempt*> plain_answers(simulated_history& history)
{
    std::vector<attempt*> plain;
    for (auto& tried : history.seen.attempts)
    {
        auto const same = [&](attempt const& other) { return other.key == tried.key; };
        if (tried.what == operation::issue && tried.fate == attempt_fate::ok && tried.ranges.size() == 1 &&
            std::ranges::count_if(history.seen.attempts, same) == 1)
            plain.push_back(&tried);
    }
    return plain;
}

attempt& any_answer(simulated_history& history, std::mt19937& dice)
{
    auto const plain = plain_answers(history);
    REQUIRE_FALSE(plain.empty());
    return *plain[draw(dice, plain.size())];
}

ledger_range& row_of(simulated_history& history, attempt const& answer)
{
    auto const found = std::ranges::find(history.ledger.ranges, to_ledger_key(answer.key), &ledger_range::key);
    REQUIRE(found != history.ledger.ranges.end());
    return *found;
}

/// Two answers of one series and count, the first answered before the second was sent; none: false.
bool pair_in_order(simulated_history& history, attempt*& first, attempt*& second)
{
    auto const plain = plain_answers(history);
    for (auto* a : plain)
        for (auto* b : plain)
            if (a->series == b->series && a->count == b->count && a->ended < b->started && a->epoch == b->epoch)
            {
                first = a;
                second = b;
                return true;
            }
    return false;
}

/// Exchanges the numbers of two requests, in the answers and in the ledger.
bool exchange_numbers(simulated_history& history)
{
    attempt* first = nullptr;
    attempt* second = nullptr;
    if (!pair_in_order(history, first, second))
        return false;
    std::swap(row_of(history, *first).key, row_of(history, *second).key);
    for (auto& row : history.ledger.ranges)
        for (auto const* moved : {first, second})
            if (row.key == to_ledger_key(moved->key))
                row.client = moved->client;
    std::swap(first->ranges, second->ranges);
    return true;
}

/// How often of all simulated histories `change` was found; it returns false where it does not apply.
void check_caught(int rule, mutation const& change)
{
    int applied = 0;
    for (unsigned seed = 0; seed < histories; ++seed)
    {
        CAPTURE(seed);
        std::mt19937 dice{seed};
        auto history = simulate_history(dice);
        if (!change(history, dice))
            continue;
        ++applied;
        auto const found = check_history(history.seen, history.ledger);
        auto const by_rule = [&](std::string const& text) {
            return text.starts_with("rule " + std::to_string(rule) + ":");
        };
        CHECK(std::ranges::any_of(found, by_rule));
    }
    CHECK(applied > histories / 4);
}

}  // namespace

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
            return std::erase_if(history.ledger.ranges, [&](auto& row) { return row.ordinal == gone; }) > 0;
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
            return std::erase_if(history.seen.attempts, [&](auto& tried) { return tried.key == key; }) > 0;
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

    TEST_CASE("a late reorder is found, although answers and ledger agree")
    {
        check_caught(6, [](auto& history, auto&) { return exchange_numbers(history); });
    }

    TEST_CASE("a read from the past and one from the future are found")
    {
        for (int const off : {-1, 1})
            check_caught(7, [off](auto& history, auto&) {
                attempt read;
                read.what = operation::read;
                read.fate = attempt_fate::ok;
                read.series = history.ledger.series.front().series;
                read.started = off < 0 ? 1'000'000 : 0;
                read.ended = read.started + 1;
                auto const all = history.ledger.series.front().next_ordinal - 1;
                read.issued = off < 0 ? 0 : all;
                history.seen.attempts.push_back(read);
                return true;
            });
    }

    TEST_CASE("an epoch that goes back is found")
    {
        check_caught(8, [](auto& history, auto&) {
            history.ledger.ranges.back().epoch = 1;
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

    TEST_CASE("a series that stays dead after healing is found")
    {
        check_caught(10, [](auto& history, auto&) {
            history.seen.healed = 1'000'000;
            return true;
        });
    }
}
