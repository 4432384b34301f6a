#include "holds/open_hold.hpp"
#include "record/json.hpp"
#include "record/read.hpp"

#include <doctest/doctest.h>

namespace gapless::holds::test {

namespace {

constexpr database_time the_moment{std::chrono::microseconds{1'795'212'311'123'456}};
constexpr issuance_id first{.series_id = 1, .turn = 0, .ordinal = 4};

}  // namespace

TEST_SUITE("holds/open_hold_database")
{
    TEST_CASE("a hold says only of a reference that was erased that it was")
    {
        open_hold hold{
            .issuance = first,
            .series = "dhl-paket",
            .held = 2,
            .reference = "order-4711",
            .expires_at = the_moment};
        std::string json;
        append_json(json, hold);
        CHECK(
            json == R"({"issuance":"114","series":"dhl-paket","held":2,"reference":"order-4711",)"
                    R"("expires_at":"2026-11-20T22:05:11.123456Z"})"
        );
        hold.reference.reset();
        hold.reference_erased = {true};
        json.clear();
        append_json(json, hold);
        CHECK(json.find(R"("reference":null,"reference_erased":true,)") != std::string::npos);
    }

    TEST_CASE("the id of an issuance is read from the row of its three parts")
    {
        issuance_id id;
        CHECK(read_column("(1,0,4)", id));
        CHECK(id == first);
        for (std::string_view const text : {"", "(", "(1,0)", "(1,0,4", "(1,0,4) ", "(,0,4)"})
        {
            CAPTURE(text);
            CHECK_FALSE(read_column(text, id));
        }
    }

    TEST_CASE("a page begins where one before it ended, and nowhere else")
    {
        auto const place = read_place("1795212311123456-114");
        REQUIRE(place);
        CHECK(place->expires_at == the_moment);
        CHECK(place->issuance == first);
        CHECK(to_text(*place) == "1795212311123456-114");
        for (std::string const text :
             {"",
              "-",
              "1",
              "1-",
              "-1-114",
              "x-114",
              "1-x",
              "1-114-",
              "1 -114",
              "253402300800000000-114"})
        {
            CAPTURE(text);
            CHECK_FALSE(read_place(text));
            CHECK_THROWS_AS(check({.after = text}), wrong_field);
        }
        CHECK_NOTHROW(check({}));
    }
}

}  // namespace gapless::holds::test
