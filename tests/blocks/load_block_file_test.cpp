#include "blocks/load_block_file.hpp"
#include "formats/catalogue.hpp"

#include <doctest/doctest.h>

namespace gapless::load_block_file_test {

TEST_SUITE("blocks/load_block_file")
{
    TEST_CASE("a file becomes one load, each block with its line")
    {
        auto const load = cases::to_load(
            "s", read_block_file("Referenz;Von;Bis\n\nL1;1;5\n;;\nL2;6;9\n"), "the file"
        );
        REQUIRE(load.has_value());
        CHECK(load->series == "s");
        REQUIRE(load->drafts.size() == 2);
        CHECK(load->drafts[1].series == "s");
        CHECK(load->drafts[1].first == 6);
        CHECK(load->drafts[1].last == 9);
        CHECK(load->drafts[1].reference == "L2");
        CHECK(load->lines == std::vector<std::size_t>{3, 5});
        CHECK(load->column == 2);
    }

    TEST_CASE("the column is known where ends are whole numbers, too")
    {
        auto const sscc = bound_format::bind(
                              *find_format("gs1-sscc"), {{"ext", "3"}, {"gcp", "4012345"}}
        ).value();
        auto const load = cases::to_load(
            "s",
            read_block_file(
                "count,first,last\n1000,340123450000000017,340123450000010009\n", &sscc
            ),
            "the file"
        );
        CHECK(load.value().column == 2);
    }

    TEST_CASE("a file with faults is refused with all of them, the first in words")
    {
        auto const one = cases::to_load("s", read_block_file("first,last\n1,x\n"), "the file");
        REQUIRE(one.has_error());
        CHECK(one.error().kind == refusal_kind::out_of_range);
        CHECK(one.error().detail.starts_with("the file:2: column 2: last: 'x'"));
        CHECK(one.error().detail.ends_with("; nothing was loaded"));
        auto const two = cases::to_load("s", read_block_file("first,last\n1,x\n3,y\n"), "f");
        REQUIRE(two.error().faults.size() == 2);
        CHECK(two.error().faults[1].line == 3);
        CHECK(two.error().faults[1].column == 2);
        CHECK(two.error().detail.ends_with("; faults: 2; nothing was loaded"));
    }
}

}  // namespace gapless::load_block_file_test
