#include "app/cli/json.hpp"
#include "app/cli/output.hpp"
#include "domain/format/catalogue.hpp"

#include <doctest/doctest.h>

#include <array>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

constexpr std::array columns{
    column{.key = "id", .number = true},
    column{.key = "valid_until"},
    column{.key = "note", .in_table = false},
};

json row(json id, json valid_until, json note)
{
    return {
        {"id", std::move(id)}, {"valid_until", std::move(valid_until)}, {"note", std::move(note)}};
}

}  // namespace

namespace {

bound_format plain()
{
    return bound_format::bind(*find_format(default_format_name), {}).value();
}

}  // namespace

TEST_SUITE("app/cli/output")
{
    TEST_CASE("a table is aligned, numbers to the right, absent values as a dash")
    {
        auto const rows = json::array({row("7", "ü", "x"), row("1234", nullptr, "y")});
        CHECK(to_table(rows, columns, false) == "  ID  VALID UNTIL\n   7  ü\n1234  -\n");
    }

    TEST_CASE("a table without rows is its header")
    {
        CHECK(to_table(json::array(), columns, false) == "ID  VALID UNTIL\n");
    }

    TEST_CASE("colour marks the header only, and only when asked for")
    {
        auto const rows = json::array({row("7", "x", "y")});
        CHECK(to_table(rows, columns, true) == "\x1b[1mID  VALID UNTIL\x1b[0m\n 7  x\n");
    }

    TEST_CASE("control characters cannot reach a terminal")
    {
        auto const rows = json::array({row("7", "a\x1b[2J\nb", "")});
        CHECK(to_table(rows, columns, false) == "ID  VALID UNTIL\n 7  a\\x1b[2J\\x0ab\n");
    }

    TEST_CASE("a single thing is shown line by line")
    {
        CHECK(
            to_details(row("7", nullptr, json::array({"a", "b"})), columns, false) ==
            "id           7\nvalid until  -\nnote         a,b\n"
        );
    }

    TEST_CASE("CSV has a header and every column, absent values are empty")
    {
        CHECK(
            to_csv(json::array({row("7", nullptr, true)}), columns) ==
            "id,valid_until,note\n7,,yes\n"
        );
    }

    TEST_CASE("CSV fields with separators, quotes and line ends are quoted")
    {
        CHECK(
            to_csv(json::array({row("7", "a,b", "say \"x\"\n")}), columns) ==
            "id,valid_until,note\n7,\"a,b\",\"say \"\"x\"\"\n\"\n"
        );
    }

    TEST_CASE("a text that a spreadsheet would compute is defused, a number is not")
    {
        for (auto const* formula : {"=1+1", "+1", "-1", "@x", "\tx"})
            CHECK(
                to_csv(json::array({row("-7", formula, "")}), columns) ==
                "id,valid_until,note\n-7,'" + std::string{formula} + ",\n"
            );
        CHECK(
            to_csv(json::array({row("7", "\rx", "")}), columns) ==
            "id,valid_until,note\n7,\"'\rx\",\n"
        );
        CHECK(
            to_csv(json::array({row("7", "a=b", "")}), columns) == "id,valid_until,note\n7,a=b,\n"
        );
    }

    TEST_CASE("the members of objects are key=value in one field")
    {
        json const params{{"prefix", "AB"}, {"width", "9"}};
        CHECK(
            to_csv(json::array({row("7", nullptr, params)}), columns) ==
            "id,valid_until,note\n7,,prefix=AB width=9\n"
        );
    }

    TEST_CASE("an issuance has the shape of the HTTP interface")
    {
        issuance issued;
        issued.series_id = 1;
        issued.epoch = 1;
        issued.issued_at = database_time{std::chrono::microseconds{1'795'212'311'123'456}};
        issued.ranges = {
            {.block_id = 1, .count = 2, .serial = 9, .ordinal = 42},
            {.block_id = 3, .count = 1, .serial = 100, .ordinal = 44}};
        issued.reference = "order-4711";
        CHECK(
            to_json(issued, "dhl-paket", plain()).dump() ==
            R"({"id":"1142","series":"dhl-paket","state":"issued","count":3,)"
            R"("ranges":[{"block":"1","first":"9","last":"10","count":2,"ordinal":"42"},)"
            R"({"block":"3","first":"100","last":"100","count":1,"ordinal":"44"}],)"
            R"("numbers":["9","10","100"],"reference":"order-4711","epoch":"1",)"
            R"("issued_at":"2026-11-20T22:05:11.123456Z"})"
        );
    }

    TEST_CASE("a series and a block have the shape of the HTTP interface")
    {
        series_record series;
        series.name = "s";
        series.remaining = "0";
        CHECK(
            to_json(series, plain()).dump() ==
            R"({"name":"s","carrier":"","space":"","format":"","params":{},)"
            R"("on_release":"","on_expiry":"","low_water":null,"paused":false,)"
            R"("issued":"0","remaining":"0","next":null,"blocks":"0",)"
            R"("reuse_after":null,"states":{"free":"0","held":"0","issued":"0","printed":"0",)"
            R"("voided":"0","manifested":"0","returned":"0"},"rate":null,"days_left":null})"
        );
        block_record block;
        block.block_id = 7;
        block.next = 0;
        CHECK(
            to_json(block, plain()).dump() ==
            R"({"id":"7","series":"","first":"0","last":"0","count":"0",)"
            R"("issued":"0","remaining":"0","next":"0","state":"",)"
            R"("reference":null,"valid_until":null,"position":0,"cycle":1})"
        );
    }
}

}  // namespace gapless::cli
