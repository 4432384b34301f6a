#include "history_mutation.hpp"
#include "support/history_checker.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace gapless::test;

namespace {

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

}  // namespace

TEST_SUITE("process/history_order")
{
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

    TEST_CASE("a series that stays dead after healing is found")
    {
        check_caught(10, [](auto& history, auto&) {
            history.seen.healed = 1'000'000;
            return true;
        });
    }
}
