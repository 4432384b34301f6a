#include "labels/symbols.hpp"

namespace picture_test {

using namespace gapless;
using namespace gapless::test;

std::string scanned(symbology kind, std::string data)
{
    return scan(print_svg(svg_of({kind, std::move(data)})));
}

TEST_SUITE("labels/picture")
{
    TEST_CASE("symbologies that no carrier of the catalogue uses read back as well")
    {
        CHECK(scanned(symbology::datamatrix, "PS07-0012347") == "]d1 PS07-0012347");
        CHECK(scanned(symbology::identcode, "396013134140") == "]I 396013134140");
        CHECK(scanned(symbology::leitcode, "50823007028005") == "]I 50823007028005");
        CHECK(
            scanned(symbology::dpd, "%008182709980000020034327276") ==
            "]C0 %008182709980000020034327276"
        );
    }

    TEST_CASE("every resolution, module and height reads back")
    {
        symbol_data const symbol{symbology::code128, "1Z12345E0205271688"};
        for (auto const dpi : dots_per_inch_known)
            for (auto const module : {1, 2, 3, 4, 9, module_dots_max})
                for (auto const height : {height_mm_min, 25, height_mm_max})
                {
                    CAPTURE(dpi);
                    CAPTURE(module);
                    CAPTURE(height);
                    print_size const size{dpi, module, height};
                    auto picture = print_svg(svg_of(symbol, {}, size), module);
                    CHECK(scan(picture) == "]C0 " + symbol.data);
                    CHECK(picture.width == 209 * module);
                    CHECK(picture.height == to_dots(height, dpi));
                }
    }

    TEST_CASE("a text below does not disturb the bars")
    {
        auto picture =
            print_svg(svg_of({symbology::code128, "RB123456785DE"}, "RB 123 456 785 DE"));
        CHECK(scan(picture) == "]C0 RB123456785DE");
        CHECK(picture.height > to_dots(25, 203) + 20);
    }

    TEST_CASE("there is white on both sides of the bars")
    {
        auto picture = print_svg(svg_of({symbology::code128, "4711"}));
        for (int x = 0; x < 30; ++x)
        {
            CHECK(!picture.is_dark(x, 100));
            CHECK(!picture.is_dark(picture.width - 1 - x, 100));
        }
        CHECK(picture.is_dark(30, 100));
    }

    TEST_CASE("an SVG has its size in millimetres and the text people read")
    {
        auto const document = svg_of({symbology::code128, "4711"}, "4 & <11>");
        CHECK(document.starts_with(
            R"(<svg xmlns="http://www.w3.org/2000/svg" width="28.903mm" height="28.)"
        ));
        CHECK(document.find(">4 &amp; &lt;11&gt;</text>") != std::string::npos);
        CHECK(svg_of({symbology::code128, "4711"}).find("<text") == std::string::npos);
        CHECK(svg_of({symbology::datamatrix, "4711"}, "4711").find("<text") == std::string::npos);
    }

    TEST_CASE("what the library refuses or warns of is refused in its words")
    {
        CHECK(
            svg_of({symbology::itf, "12A4"}) ==
            "refused: no barcode of 12A4: Invalid character in data (digits only)"
        );
        CHECK(
            svg_of({symbology::gs1_128, "(00)340434161094021508"}) ==
            "refused: no barcode of (00)340434161094021508: AI (00) position 18: Bad checksum '8', "
            "expected '7'"
        );
        CHECK(svg_of({symbology::code128, ""}).starts_with("refused: there is nothing"));
        CHECK(svg_of({symbology::gs1_128, "("}).starts_with("refused: no barcode of (: "));
        CHECK(svg_of({symbology::codabar, "X1X"}).starts_with("refused: no barcode of X1X: "));
        CHECK(svg_of({symbology::dpd, "%1"}).starts_with("refused: no barcode of %1: "));
        CHECK(
            svg_of({symbology::code128, std::string(64, 'A')}).find("too long") != std::string::npos
        );
    }

    TEST_CASE("a check digit of the data is not replaced by the library's")
    {
        CHECK(
            svg_of({symbology::identcode, "396013134141"}) ==
            "refused: no barcode of 396013134141: check digit: expected 0, found 1"
        );
        CHECK(svg_of({symbology::itf14, "04000123456781"}).ends_with("expected 0, found 1"));
        CHECK(
            svg_of({symbology::leitcode, "5082300702800"}) ==
            "refused: no barcode of 5082300702800: it takes 14 digits, the check digit included"
        );
    }

    TEST_CASE("a text wider than the barcode is refused")
    {
        CHECK(svg_of({symbology::code128, "4711"}, std::string(40, 'W'))
                  .ends_with("is wider than the barcode; ask for text=false"));
    }
}

}  // namespace picture_test
