#include "formats/catalogue.hpp"
#include "harness/json_value.hpp"
#include "numbers/issuance_json.hpp"

#include <doctest/doctest.h>

namespace issuance_json_test {

using namespace gapless;
using test::json_value;

bound_format plain()
{
    auto bound = bound_format::bind(*find_format("plain"), {});
    REQUIRE(bound.has_value());
    return std::move(*bound);
}

TEST_SUITE("numbers/issuance_json")
{
    TEST_CASE("an issuance is told as the contract has it, a held one with its end")
    {
        issuance issued;
        issued.series_id = 1;
        issued.epoch = 1;
        issued.issued_at = database_time{std::chrono::microseconds{1'795'212'311'123'456}};
        issued.ranges = {
            {.block_id = 1, .count = 2, .serial = 9, .ordinal = 42},
            {.block_id = 3, .count = 1, .serial = 100, .ordinal = 44}};
        issued.reference = "order-4711";
        series_entry const series{1, "dhl-paket", plain()};
        std::string text;
        append_issuance(series, issued, listing::usual, text);
        CHECK(
            text == R"({"id":"1142","series":"dhl-paket","state":"issued","count":3,)"
                    R"("ranges":[{"block":"1","first":"9","last":"10","count":2,"ordinal":"42"},)"
                    R"({"block":"3","first":"100","last":"100","count":1,"ordinal":"44"}],)"
                    R"("numbers":["9","10","100"],"reference":"order-4711","epoch":"1",)"
                    R"("issued_at":"2026-11-20T22:05:11.123456Z"})"
        );
        issued.hold_seconds = 600;
        text.clear();
        append_issuance(series, issued, listing::none, text);
        CHECK(json_value::parse(text)["expires_at"] == "2026-11-20T22:15:11.123456Z");
    }

    TEST_CASE("an issuance that was drawn from a reserve says so, in its id as well")
    {
        issuance issued;
        issued.series_id = 1;
        issued.epoch = 1;
        issued.issued_at = database_time{std::chrono::microseconds{1'795'212'311'123'456}};
        issued.ranges = {{.block_id = 1, .count = 1, .serial = 9, .ordinal = 42, .turn = 3}};
        issued.reserve = true;
        series_entry const series{1, "dhl-paket", plain()};
        std::string text;
        append_issuance(series, issued, listing::none, text);
        CHECK(
            text == R"({"id":"901142","series":"dhl-paket","state":"issued","count":1,)"
                    R"("ranges":[{"block":"1","first":"9","last":"9","count":1,"ordinal":"42"}],)"
                    R"("reference":null,"epoch":"1","reserve":true,)"
                    R"("issued_at":"2026-11-20T22:05:11.123456Z"})"
        );
    }
}

}  // namespace issuance_json_test
