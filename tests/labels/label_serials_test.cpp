#include "labels/label_serials.hpp"

#include <doctest/doctest.h>

namespace label_serials_test {

using namespace gapless;

/// Two ranges: serials 100 to 104 and 900 to 902, ordinals 11 to 15 and 16 to 18.
issuance two_ranges()
{
    issuance value;
    value.ranges = {
        {.block_id = 1, .count = 5, .serial = 100, .ordinal = 11},
        {.block_id = 2, .count = 3, .serial = 900, .ordinal = 16}};
    return value;
}

struct run
{
    std::string fate;
    std::int64_t serial{};
    std::int32_t count{};
};

/// The same, and what became of its numbers; held: it was a hold.
issuance stands(std::vector<run> const& runs, bool held = false)
{
    auto value = two_ranges();
    if (held)
        value.hold_seconds = 60;
    std::vector<issuance_part> parts;
    for (auto const& [fate, serial, count] : runs)
    {
        auto range = value.ranges[serial < 900 ? 0 : 1];
        range.ordinal += serial - range.serial;
        range.serial = serial;
        range.count = count;
        parts.push_back({range, fate});
    }
    set_parts(value, std::move(parts));
    return value;
}

std::string text(issuance const& value)
{
    auto const found = read_label_serials(value);
    if (found.has_error())
        return std::string{"refused: "} + std::string{name_of(found.error().kind)};
    std::string listed;
    for (auto const serial : *found)
        listed += (listed.empty() ? "" : " ") + std::to_string(serial);
    return listed;
}

TEST_SUITE("labels/label_serials")
{
    TEST_CASE("every number of an issuance has a label, in order")
    {
        CHECK(text(two_ranges()) == "100 101 102 103 104 900 901 902");
        auto reversed = two_ranges();
        std::swap(reversed.ranges[0], reversed.ranges[1]);
        CHECK(text(reversed) == "900 901 902 100 101 102 103 104");
    }

    TEST_CASE("a voided number has none, its neighbours have")
    {
        CHECK(
            text(stands({{"issued", 100, 1}, {"voided", 101, 1}, {"issued", 102, 3}, {"", 900, 3}})
            ) == "100 102 103 104 900 901 902"
        );
        CHECK(text(stands({{"voided", 100, 5}, {"voided", 900, 3}})) == "refused: state-conflict");
    }

    TEST_CASE("a hold has labels of what was confirmed, and none before it is settled")
    {
        CHECK(
            text(stands({{"held", 100, 5}, {"held", 900, 3}}, true)) == "refused: state-conflict"
        );
        CHECK(
            text(stands({{"confirmed", 100, 4}, {"held", 104, 1}, {"released", 900, 3}}, true)) ==
            "refused: state-conflict"
        );
        CHECK(
            text(stands(
                {{"released", 100, 1},
                 {"confirmed", 101, 2},
                 {"voided", 103, 2},
                 {"expired", 900, 2},
                 {"confirmed", 902, 1}},
                true
            )) == "101 102 902"
        );
        CHECK(
            text(stands({{"expired", 100, 5}, {"released", 900, 3}}, true)) ==
            "refused: state-conflict"
        );
        auto leased = stands({{"held", 100, 5}, {"held", 900, 3}}, true);
        leased.hold_seconds = hold_for_ever;
        CHECK(text(leased) == "refused: on-lease");
    }

    TEST_CASE("the largest issuance with labels has labels_max numbers")
    {
        auto value = two_ranges();
        value.ranges.pop_back();
        value.ranges[0].count = labels_max;
        CHECK(read_label_serials(value)->size() == labels_max);
        ++value.ranges[0].count;
        CHECK(text(value) == "refused: out-of-range");
    }

    TEST_CASE("an issuance keeps its id and tells what is left of it, however its numbers stand")
    {
        auto const untouched = stands({{"held", 100, 5}, {"", 900, 3}}, true);
        CHECK(untouched.parts.empty());
        CHECK(untouched.ranges == two_ranges().ranges);
        CHECK(state_of(untouched) == "held");
        auto const cut = stands(
            {{"released", 100, 1}, {"confirmed", 101, 2}, {"held", 103, 2}, {"expired", 900, 3}},
            true
        );
        CHECK(id_of(cut) == id_of(untouched));
        CHECK(state_of(cut) == "held");
        REQUIRE(cut.ranges.size() == 1);
        CHECK(cut.ranges[0].serial == 101);
        CHECK(cut.count() == 4);
        CHECK(state_of(stands({{"confirmed", 100, 5}, {"expired", 900, 3}}, true)) == "issued");
        auto const gone = stands({{"released", 100, 5}, {"voided", 900, 3}}, true);
        CHECK(gone.ranges.empty());
        CHECK(state_of(gone) == "released");
        CHECK(state_of(stands({{"released", 100, 5}, {"expired", 900, 3}}, true)) == "expired");
        CHECK(state_of(stands({{"voided", 100, 5}, {"voided", 900, 3}})) == "voided");
        CHECK(state_of(stands({{"voided", 100, 5}, {"reused", 900, 3}})) == "reused");
    }
}

}  // namespace label_serials_test
