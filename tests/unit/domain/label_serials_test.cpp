#include "domain/label_serials.hpp"

#include <doctest/doctest.h>

namespace label_serials_test {

using namespace gapless;

/// Two ranges: serials 100 to 104 and 900 to 902, ordinals 11 to 15 and 16 to 18.
issuance_record two_ranges()
{
    issuance_record record;
    record.value.ranges = {
        {.block_id = 1, .count = 5, .serial = 100, .ordinal = 11},
        {.block_id = 2, .count = 3, .serial = 900, .ordinal = 16}};
    return record;
}

/// The same, held and settled so.
issuance_record hold(std::vector<hold_part> parts)
{
    auto record = two_ranges();
    record.value.hold_seconds = 60;
    record.parts = std::move(parts);
    return record;
}

std::string text(issuance_record const& record, std::vector<state_range> const& voided = {})
{
    auto const found = read_label_serials(record, voided);
    if (found.has_error())
        return std::string{"refused: "} + std::string{name_of(found.error().kind)};
    std::string listed;
    for (auto const serial : *found)
        listed += (listed.empty() ? "" : " ") + std::to_string(serial);
    return listed;
}

TEST_SUITE("domain/label_serials")
{
    TEST_CASE("every number of an issuance has a label, in order")
    {
        CHECK(text(two_ranges()) == "100 101 102 103 104 900 901 902");
        auto reversed = two_ranges();
        std::swap(reversed.value.ranges[0], reversed.value.ranges[1]);
        CHECK(text(reversed) == "900 901 902 100 101 102 103 104");
    }

    TEST_CASE("a voided number has none, its neighbours have")
    {
        CHECK(text(two_ranges(), {{"voided", 12, 12}}) == "100 102 103 104 900 901 902");
        CHECK(text(two_ranges(), {{"voided", 15, 16}, {"voided", 1, 11}}) == "101 102 103 901 902");
        CHECK(text(two_ranges(), {{"voided", 1, 10}, {"voided", 19, 30}}) == text(two_ranges()));
        CHECK(text(two_ranges(), {{"voided", 1, 99}}) == "refused: state-conflict");
    }

    TEST_CASE("a hold has labels of what was confirmed, and none before it is settled")
    {
        CHECK(text(hold({{"held", 100, 5}, {"held", 900, 3}})) == "refused: state-conflict");
        CHECK(text(hold({{"confirmed", 100, 4}, {"held", 104, 1}})) == "refused: state-conflict");
        CHECK(
            text(hold({{"confirmed", 101, 2}, {"confirmed", 902, 1}, {"released", 900, 2}})) ==
            "101 102 902"
        );
        CHECK(text(hold({{"confirmed", 101, 2}}), {{"voided", 12, 12}}) == "102");
        CHECK(text(hold({{"expired", 100, 5}, {"released", 900, 3}})) == "refused: state-conflict");
    }

    TEST_CASE("the largest issuance with labels has labels_max numbers")
    {
        auto record = two_ranges();
        record.value.ranges.pop_back();
        record.value.ranges[0].count = labels_max;
        CHECK(read_label_serials(record, {})->size() == labels_max);
        ++record.value.ranges[0].count;
        CHECK(text(record) == "refused: out-of-range");
    }
}

}  // namespace label_serials_test
