#include "domain/format/catalogue.hpp"
#include "harness/json_value.hpp"
#include "wire/issuance_json.hpp"
#include "wire/number_json.hpp"
#include "wire/record_json.hpp"
#include "wire/series_json.hpp"

#include <doctest/doctest.h>

namespace record_json_test {

using namespace gapless;
using test::json_value;

bound_format plain()
{
    auto bound = bound_format::bind(*find_format("plain"), {});
    REQUIRE(bound.has_value());
    return std::move(*bound);
}

json_value shown(series_record const& series)
{
    auto const format = plain();
    std::string text;
    append_series(series, &format, text);
    return json_value::parse(text);
}

TEST_SUITE("wire/record_json")
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

    TEST_CASE("a series is told as the contract has it")
    {
        series_record series;
        series.name = "s";
        series.remaining = "0";
        series.states = {
            .free = 1,
            .held = 2,
            .issued = 3,
            .printed = 4,
            .voided = "92233720368547758070",
            .manifested = 6,
            .returned = 7};
        std::string text;
        append_series(series, nullptr, text);
        CHECK(
            text ==
            R"({"name":"s","carrier":"","space":"","format":"","params":{},)"
            R"("on_release":"","on_expiry":"","low_water":null,"paused":false,)"
            R"("issued":"0","remaining":"0","next":null,"blocks":"0",)"
            R"("reuse_after":null,"reserve_numbers":null,"on_lease":"0","reserve_minutes":null,)"
            R"("states":{"free":"1","held":"2","issued":"3","printed":"4",)"
            R"("voided":"92233720368547758070","manifested":"6","returned":"7"},)"
            R"("forecast":{"per_day":null,"days_left":null,"exhausted_on":null,)"
            R"("days_left_p10":null,"days_left_p90":null,"exhausted_from":null,)"
            R"("exhausted_to":null,"order_by":null,"lead_days":null}})"
        );
    }

    TEST_CASE("a forecast is told in whole days and dates")
    {
        using namespace std::chrono_literals;
        series_record series;
        auto const day = [](unsigned n) {
            return std::chrono::sys_days{2026y / std::chrono::November / std::chrono::day{n}};
        };
        series.ahead = forecast{
            .per_day = 30.04,
            .days_left = 3,
            .days_left_p10 = 2,
            .days_left_p90 = 5,
            .exhausted_on = day(23),
            .exhausted_from = day(22),
            .exhausted_to = day(25),
            .order_by = day(14),
            .lead_days = 7};
        CHECK(
            shown(series)["forecast"] ==
            json_value::parse(
                R"({"per_day":"30.0","days_left":3,"exhausted_on":"2026-11-23",)"
                R"("days_left_p10":2,"days_left_p90":5,"exhausted_from":"2026-11-22",)"
                R"("exhausted_to":"2026-11-25","order_by":"2026-11-14","lead_days":7})"
            )
        );
    }

    TEST_CASE("without a forecast, and beyond a thousand years, no day is named")
    {
        series_record series;
        CHECK(shown(series)["forecast"]["days_left"] == nullptr);
        series.ahead = forecast{.per_day = 1, .days_left = 9223372036854775808.0};
        CHECK(shown(series)["forecast"]["days_left"] == 9223372036854775808.0);
        CHECK(shown(series)["forecast"]["exhausted_on"] == nullptr);
        CHECK(shown(series)["forecast"]["order_by"] == nullptr);
    }

    TEST_CASE("a number says in which cycle of its block it is, one that never left has no ordinal")
    {
        number_record number;
        number.serial = 42;
        number.state = "free";
        number.cycle = 2;
        series_entry const series{1, "dhl-paket", plain()};
        std::string text;
        append_number_record(series, number, text);
        auto const read = json_value::parse(text);
        CHECK(read["cycle"] == 2);
        CHECK(read["ordinal"] == nullptr);
        CHECK(read["issuance"] == nullptr);
        CHECK(read["serial"] == "42");
    }

    TEST_CASE("forecasts are told by series, with what is remaining, as a series has them")
    {
        std::vector<series_record> all(3);
        all[0].name = "a";
        all[1].name = "b \"quoted\"";
        all[1].remaining = "41200";
        all[1].ahead = forecast{.per_day = 12.5, .days_left = 14, .lead_days = 5};
        all[1].ahead->order_by = std::chrono::sys_days{std::chrono::days{20'784}};
        all[2].name = "c";
        all[2].remaining = "0";
        all[2].ahead = forecast{};
        std::string text;
        append_forecasts(all, text);
        auto const told = json_value::parse(text);
        CHECK(told.size() == 2);
        auto expected = shown(all[1])["forecast"];
        expected.set("remaining", "41200");
        CHECK(told["b \"quoted\""] == expected);
        CHECK(told["b \"quoted\""]["order_by"] == "2026-11-27");
        CHECK(told["c"]["order_by"].is_null());
        text.clear();
        append_forecasts({}, text);
        CHECK(text == "{}");
    }
}

}  // namespace record_json_test
