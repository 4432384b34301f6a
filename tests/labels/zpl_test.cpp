#include "labels/zpl.hpp"

#include <doctest/doctest.h>

namespace zpl_test {

using namespace gapless;

std::string zpl(symbology kind, std::string data, bool with_text = false)
{
    return to_zpl({kind, std::move(data)}, with_text, {});
}

// What a printer puts into the bars of a ^BC field in mode N.
std::string printed(std::string_view field)
{
    REQUIRE((field.starts_with(">:") || field.starts_with(">;")));
    auto pairs = field[1] == ';';
    field.remove_prefix(2);
    std::string message;
    while (!field.empty())
    {
        auto const length = field.front() == '>' || pairs ? 2U : 1U;
        auto const code = field.substr(0, length);
        REQUIRE(code.size() == length);
        field.remove_prefix(length);
        if (code == ">8")
            message += fnc1;
        else if (code == ">5" || code == ">6")
            pairs = code == ">5";
        else if (code == ">0" || code == "><" || code == ">=")
            message += code == ">0" ? '>' : code == "><" ? '^' : '~';
        else
            message += code;
    }
    return message;
}

TEST_SUITE("labels/zpl")
{
    TEST_CASE("code 128 starts in the right subset and changes where it pays")
    {
        CHECK(to_code128_field("4711") == ">;4711");
        CHECK(to_code128_field("47") == ">;47");
        CHECK(to_code128_field("471") == ">:471");
        CHECK(to_code128_field("47110") == ">;4711>60");
        CHECK(to_code128_field("RB123456785DE") == ">:RB1>523456785>6DE");
        CHECK(to_code128_field("1Z12345E0205271688") == ">:1Z1>52345>6E>50205271688");
        CHECK(to_code128_field("%0081827") == ">:%0>5081827");
        CHECK(to_code128_field("A12B") == ">:A12B");
    }

    TEST_CASE("characters that are commands to the printer are written as data")
    {
        CHECK(to_code128_field("A>B^C~D") == ">:A>0B><C>=D");
        CHECK(
            zpl(symbology::datamatrix, "A^B~C\\D_E>") ==
            "^BXN,3,200,,,,_^FH\\^FDA\\5EB\\7EC\\5CD__E>^FS\n"
        );
        CHECK(zpl(symbology::datamatrix, "A1") == "^BXN,3,200,,,,_^FDA1^FS\n");
    }

    TEST_CASE("what the printer reads is the message")
    {
        for (std::string_view const message :
             {"4711",
              "1",
              "12",
              "123",
              "RB123456785DE",
              "%008182709980000020034327276",
              "1LS71234567890123-1",
              "A>1234>B^1~",
              "\x1d"
              "00340434161094021507",
              "\x1d"
              "42078745\x1d"
              "94001112062064062607",
              "\x1d"
              "10A\x1d"
              "211"})
        {
            CAPTURE(message);
            CHECK(printed(to_code128_field(message)) == message);
        }
    }

    TEST_CASE("every symbology has its command")
    {
        CHECK(zpl(symbology::code128, "A1") == "^BY3,3,200^BCN,200,N,N,N,N^FD>:A1^FS\n");
        CHECK(zpl(symbology::dpd, "%0081827") == "^BY3,3,200^BCN,200,N,N,N,N^FD>:%0>5081827^FS\n");
        CHECK(
            zpl(symbology::gs1_128, "(00)340434161094021507", true) ==
            "^BY3,3,200^BCN,200,Y,N,N,N^FD>;>800340434161094021507^FS\n"
        );
        CHECK(
            zpl(symbology::gs1_128, "(420)78745(94)00111206206406260787") ==
            "^BY3,3,200^BCN,200,N,N,N,N^FD>;>842078745>89400111206206406260787^FS\n"
        );
        for (auto const kind :
             {symbology::itf, symbology::itf14, symbology::identcode, symbology::leitcode})
            CHECK(
                zpl(kind, "04000123456780", true) ==
                "^BY3,3,200^B2N,200,Y,N,N^FD04000123456780^FS\n"
            );
        CHECK(
            zpl(symbology::codabar, "A444413758703B") ==
            "^BY3,3,200^BKN,N,200,N,N,A,B^FD444413758703^FS\n"
        );
    }

    TEST_CASE("sizes are told in dots of the printer")
    {
        print_size const fine{.dots_per_inch = 600, .module_dots = 9, .height_mm = 10};
        CHECK(to_zpl({symbology::itf, "12"}, false, fine) == "^BY9,3,236^B2N,236,N,N,N^FD12^FS\n");
        CHECK(usual_module_dots(203) == 3);
        CHECK(usual_module_dots(300) == 4);
        CHECK(usual_module_dots(600) == 9);
    }
}

}  // namespace zpl_test
