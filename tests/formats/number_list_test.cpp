#include "formats/catalogue.hpp"
#include "harness/json_value.hpp"
#include "numbers/issuance_json.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace number_list_test {

using namespace gapless;
using test::json_value;

constexpr std::uint64_t piece_bytes_max = 80 * 1'024;

/// What the pieces add up to; no piece is longer than the others' share of a turn.
std::string collect(std::string text, std::optional<number_list> list)
{
    REQUIRE(list);
    auto const promised = text.size() + list->bytes();
    while (list->bytes() > 0)
    {
        auto const before = text.size();
        list->append_piece(text);
        CHECK(text.size() - before <= piece_bytes_max);
    }
    CHECK(text.size() == promised);
    return text;
}

issued_range to_range(std::int32_t block_id, std::int64_t serial, std::int32_t count)
{
    issued_range range;
    range.block_id = block_id;
    range.serial = serial;
    range.count = count;
    return range;
}

issuance of_ranges(std::vector<issued_range> ranges)
{
    issuance made;
    made.series_id = 1;
    made.ranges = std::move(ranges);
    return made;
}

series_entry series_of(std::string_view format)
{
    auto bound = bound_format::bind(*find_format(format), {});
    REQUIRE(bound.has_value());
    return {1, "s", std::move(*bound)};
}

TEST_SUITE("formats/number_list")
{
    TEST_CASE("a list in pieces is as long as it said, and says the same")
    {
        // The serial grows by digits; it has leading zeros and a check digit.
        for (std::string_view const name : {"plain", "dhl-express-10"})
        {
            auto const series = series_of(name);
            auto const value = of_ranges(
                {to_range(1, 7, 1),
                 to_range(2, 95, 1'999),
                 to_range(3, 99'000, 5'000),
                 to_range(4, 9, 2)}
            );
            std::string whole;
            append_issuance(series, value, listing::all, whole);
            std::string beginning;
            auto list = begin_issuance(series, value, listing::all, beginning);
            CHECK(collect(beginning, std::move(list)) == whole);
            CHECK(json_value::parse(whole)["numbers"].size() == 7'002);

            std::string lines;
            append_csv(series, value, lines);
            std::string csv;
            auto rows = begin_csv(series, value, csv);
            CHECK(collect(csv, std::move(rows)) == lines);
            CHECK(std::ranges::count(lines, '\n') == 7'002);

            std::string excel;
            append_csv(series, value, excel, {.excel = excel_language::de});
            CHECK(excel.starts_with("\xef\xbb\xbf\"=\"\"" + series.format.to_number(7) + "\"\"\"\n")
            );
            CHECK(std::ranges::count(excel, '\n') == 7'002);
        }
    }

    TEST_CASE("a short list is no list of pieces")
    {
        auto const series = series_of("plain");
        auto const value = of_ranges({to_range(1, 7, 2'000)});
        std::string json;
        CHECK_FALSE(begin_issuance(series, value, listing::all, json));
        CHECK(json_value::parse(json)["numbers"].size() == 2'000);
        std::string csv;
        CHECK_FALSE(begin_csv(series, value, csv));
        CHECK(std::ranges::count(csv, '\n') == 2'000);
    }
}

}  // namespace number_list_test
