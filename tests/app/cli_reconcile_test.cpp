#include "app/cli/reconciliation.hpp"
#include "domain/format/catalogue.hpp"

#include <doctest/doctest.h>

namespace gapless::test {

using cli::bill_fault;

namespace {

struct seen
{
    bill_fault fault;
    std::string number;
    std::size_t line;

    bool operator==(seen const&) const = default;
};

bound_format plain()
{
    return bound_format::bind(*find_format(default_format_name), {}).value();
}

/// Blocks 100…199 (all left, ordinals 1…100) and 500…599 (ten left).
std::vector<seen> reconcile(
    std::vector<std::string> const& bill, std::vector<state_range> const& states = {}
)
{
    std::vector<seen> all;
    auto const format = plain();
    cli::reconciliation found{
        format,
        {{100, 199, 100, 1, 1}, {500, 599, 10, 101, 1}},
        states,
        [&](cli::bill_finding const& each) {
            all.push_back({each.fault, each.number, each.line});
        }};
    for (std::size_t n = 0; n < bill.size(); ++n)
        found.take_line(n + 1, bill[n]);
    found.finish();
    return all;
}

}  // namespace

TEST_SUITE("app/cli/reconciliation")
{
    TEST_CASE("a bill that agrees has no findings")
    {
        CHECK(reconcile({"100", "509", " 150 "}, {{"printed", 1, 1}}).empty());
    }

    TEST_CASE("billed numbers that never left are told apart")
    {
        auto const found = reconcile({"x7", "99", "510", "101"}, {{"free", 2, 2}});
        CHECK(
            found ==
            std::vector<seen>{
                {bill_fault::not_of_series, "x7", 1},
                {bill_fault::outside_blocks, "99", 2},
                {bill_fault::never_issued, "510", 3},
                {bill_fault::never_issued, "101", 4}}
        );
    }

    TEST_CASE("voided, doubled and forgotten numbers are found")
    {
        auto const found = reconcile(
            {"100", "101", "101"}, {{"voided", 1, 1}, {"printed", 2, 3}, {"manifested", 101, 101}}
        );
        CHECK(
            found ==
            std::vector<seen>{
                {bill_fault::billed_voided, "100", 1},
                {bill_fault::billed_twice, "101", 3},
                {bill_fault::never_billed, "102", 0},
                {bill_fault::never_billed, "500", 0}}
        );
    }
}

}  // namespace gapless::test
