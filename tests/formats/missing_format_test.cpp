#include "formats/missing_format.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace gapless::missing_format_test {

std::string hint(std::string_view name)
{
    std::vector<number_declaration> const own{
        {.name = "our-own-7", .number = "{n:7}"}, {.name = "dpd-15", .number = "{n:15}"}};
    auto const text = missing_format(name, own);
    return text.substr(text.find("; ") + 2);
}

TEST_SUITE("formats/missing_format")
{
    TEST_CASE("the formats that a name begins are the ones that were meant")
    {
        CHECK(
            missing_format("dpd", {}) == "there is no format 'dpd'; did you mean dpd-15 or dpd-28?"
        );
        CHECK(hint("dpd") == "did you mean dpd-15 or dpd-28?");
        CHECK(hint("our") == "did you mean our-own-7?");
        CHECK(hint("dhl") == "did you mean dhl-identcode, dhl-leitcode or dhl-paket-20?");
    }

    TEST_CASE("another spelling, a part of the name and a slip of the finger are near")
    {
        CHECK(hint("DPD_15") == "did you mean dpd-15?");
        CHECK(hint("sscc") == "did you mean gs1-sscc or gs1-sscc-ai00?");
        CHECK(hint("dpd15") == "did you mean dpd-15?");
        CHECK(hint("dhl-packet-20") == "did you mean dhl-paket-20?");
        CHECK(hint("our-own-8") == "did you mean our-own-7?");
        CHECK(hint("hermes14") == "did you mean hermes-14?");
    }

    TEST_CASE("what is near to nothing is told where the names are")
    {
        for (std::string_view const name : {"", "x", "zebra", "4901214213405250000"})
        {
            CAPTURE(name);
            CHECK(hint(name) == "see: gapless format list");
        }
        CHECK(hint(std::string(100'000, 'd')) == "see: gapless format list");
    }
}

}  // namespace gapless::missing_format_test
