#include "history_mutation.hpp"

#include "support/history_checker.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace gapless::test {

namespace {

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
        if (tried.what == operation::issue && tried.fate == attempt_fate::ok &&
            tried.ranges.size() == 1 && std::ranges::count_if(history.seen.attempts, same) == 1)
            plain.push_back(&tried);
    }
    return plain;
}

}  // namespace

attempt& any_answer(simulated_history& history, std::mt19937& dice)
{
    auto const plain = plain_answers(history);
    REQUIRE_FALSE(plain.empty());
    return *plain[draw(dice, plain.size())];
}

ledger_range& row_of(simulated_history& history, attempt const& answer)
{
    auto const found =
        std::ranges::find(history.ledger.ranges, to_ledger_key(answer.key), &ledger_range::key);
    REQUIRE(found != history.ledger.ranges.end());
    return *found;
}

bool pair_in_order(simulated_history& history, attempt*& first, attempt*& second)
{
    auto const plain = plain_answers(history);
    for (auto* a : plain)
        for (auto* b : plain)
            if (a->series == b->series && a->count == b->count && a->ended < b->started &&
                a->epoch == b->epoch)
            {
                first = a;
                second = b;
                return true;
            }
    return false;
}

void check_caught(int rule, mutation const& change)
{
    unsigned applied = 0;
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

}  // namespace gapless::test
