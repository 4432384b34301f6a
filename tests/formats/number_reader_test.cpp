#include "formats/number_reader.hpp"
#include "formats/numbers.hpp"

#include <doctest/doctest.h>

namespace number_reader_test {

using namespace gapless;
using namespace gapless::test;

std::string reading(
    std::string_view name, std::string_view number, parameter_values const& known = {}
)
{
    auto const parts = read_number(*find_format(name), known, number);
    if (parts.has_error())
        return "refused: " + parts.error().reason;
    auto line = parts->number + " serial " + parts->serial_text;
    for (auto const& [parameter, value] : parts->parameters)
        line += " " + parameter + "=" + value;
    return line + (parts->is_ambiguous ? " ambiguous" : "");
}

std::string plain(std::string_view number)
{
    return text(bound("plain").read_number(number));
}

TEST_SUITE("formats/number_reader")
{
    TEST_CASE("a number gives its serial and its parameters")
    {
        CHECK(reading("upu-s10", "RB123456785DE") == "RB123456785DE serial 12345678 cc=DE svc=RB");
        CHECK(
            reading("postnl-3s-15", "3SDEVC816223392") ==
            "3SDEVC816223392 serial 816223392 cust=DEVC"
        );
        CHECK(reading("dhl-piece-jd", "JJD0099999999") == "JJD0099999999 serial 0099999999 iac=JD");
        CHECK(
            reading("dhl-piece-jd", "JVGL0999999990") == "JVGL0999999990 serial 0999999990 iac=VGL"
        );
    }

    TEST_CASE("what cannot be told apart is read at its longest and said to be ambiguous")
    {
        CHECK(
            reading("gs1-sscc", "000123450000000027") ==
            "000123450000000027 serial 0002 ext=0 ambiguous"
        );
        CHECK(
            reading("gs1-sscc", "000123450000000027", {{"gcp", "0012345"}}) ==
            "000123450000000027 serial 000000002 ext=0 gcp=0012345"
        );
        CHECK(
            reading("dhl-identcode", "123456789016", {{"cust", "3"}}) ==
            "123456789016 serial 45678901 cust=3 mailcentre=12"
        );
    }

    TEST_CASE("of several ways to read a number, one with a right check character is taken")
    {
        auto const format = number_format::compile(declared("{a:N1-2}[{n:*}]{c}", "gs1")).value();
        CHECK(read_number(format, {}, "1293")->serial_text == "9");   // 12, 9 and its 3
        CHECK(read_number(format, {}, "1291")->serial_text == "29");  // 1, 29 and its 1
        CHECK(read_number(format, {}, "1292").has_error());
    }

    TEST_CASE("blanks, small letters and the dots and dashes of the printed form do not matter")
    {
        CHECK(
            reading("dhl-identcode", " 21.802 580.906 6 ") ==
            "218025809066 serial 0906 mailcentre=21 ambiguous"
        );
        CHECK(
            reading("upu-s10", "rb 123 456 785\tde") == "RB123456785DE serial 12345678 cc=DE svc=RB"
        );
        CHECK(reading("japan-7dr-12", "4444-1375-8703") == "444413758703 serial 44441375870");
    }

    TEST_CASE("what a spreadsheet or a typing slip makes of a number is not another number")
    {
        for (auto const* text :
             {"101.0",
              "102-0",
              "10.30",
              "1.05",
              "1.010",
              "1-010",
              ".1010",
              "1010.",
              "-1010",
              "1010-",
              "(1010)",
              "1.010-000",
              "1..010.000",
              "1.01.000",
              "1010.000.000",
              "101 .0",
              "+1010",
              "1,010,000",
              "1e3"})
        {
            CHECK_MESSAGE(plain(text).starts_with("refused: "), text);
        }
        CHECK(
            plain("101.0") ==
            "refused: a dot or dash stands where numbers of this format have none; a spreadsheet "
            "may have changed the number"
        );
        CHECK(plain("5.000.000.000") == "5000000000");
        CHECK(plain("1-010-000") == "1010000");
        CHECK(plain(" 10 10\t") == "1010");
        CHECK(reading("dhl-identcode", "218.02580.9066").starts_with("refused: a dot or dash"));
        CHECK(reading("dhl-identcode", "21-802 580-906 6").starts_with("refused: a dot or dash"));
        CHECK(reading("upu-s10", "RB-123-456-785-DE").starts_with("refused: a dot or dash"));
        CHECK(reading("upu-s10", "(RB)123456785DE").starts_with("refused: a bracket"));
        CHECK(reading("lasership-1ls7-18", "1LS71190136-181271").starts_with("refused: a dot"));
        CHECK(reading("gs1-sscc", "(00) 3 7610425 002123456.9").starts_with("refused: a dot"));
        CHECK(reading("gs1-sscc", "00-376104250021234569").starts_with("refused: a dot"));
    }

    TEST_CASE("what nobody sees, and what scanners and spreadsheets add, is skipped")
    {
        for (std::string const text :
             {"\xef\xbb\xbf"
              "490121421440\xc2\xad"
              "5250000",
              "4901\xe2\x80\x8b"
              "2142\xc2\xa0"
              "1440\xe2\x80\x89"
              "5250\xe2\x80\xaf"
              "000",
              "\xe2\x80\xad"
              "4901 2142 1440 5250 000\xe2\x80\xac",
              "]C1\x1d"
              "4901214214405250000\x1d",
              "=\"4901214214405250000\"",
              "'4901214214405250000"})
            CHECK_MESSAGE(plain(text) == "4901214214405250000", text);
        CHECK(plain("49\n01").starts_with("refused: character 3 is '\\x0a'"));
        CHECK(plain("4\xe2\x80\xa8"
                    "9")
                  .starts_with("refused: character 2 is '\\u2028'"));
    }

    TEST_CASE("a dash of the format is printed again, typed or not")
    {
        auto const expected = "1LS7119013618127-1 serial 119013618127";
        CHECK(reading("lasership-1ls7-18", "1LS7119013618127-1") == expected);
        CHECK(reading("lasership-1ls7-18", "1LS71190136181271") == expected);
        CHECK(reading("lasership-1ls7-18", "1ls7 1190 1361 8127-1") == expected);
        CHECK(
            reading("lasership-1ls7-18", "1LS7119013618127-2") ==
            "refused: character 17 is '2', expected '1'"
        );
    }

    TEST_CASE("O is not 0, and I is not 1")
    {
        CHECK(reading("tnt-9", "12345678O") == "refused: check character: expected 5, found O");
        CHECK(reading("tnt-9", "I23456785") == "refused: character 1 is 'I', expected a digit");
        CHECK(
            reading("upu-s10", "RB12345678SDE") == "refused: check character: expected 5, found S"
        );
    }

    TEST_CASE("a refusal says what is wrong and where")
    {
        CHECK(
            reading("tnt-9", "12345678") == "refused: wrong length: expected 9 characters, found 8"
        );
        CHECK(reading("tnt-9", "") == "refused: wrong length: expected 9 characters, found 0");
        CHECK(
            reading("dhl-piece-jd", "J1") ==
            "refused: wrong length: expected 13 to 14 characters, found 2"
        );
        CHECK(reading("tnt-9", "123456784") == "refused: check character: expected 5, found 4");
        CHECK(
            reading(
                "tnt-9",
                "1234\xC3\xA4"
                "675"
            ) == "refused: character 5 is '\\u00e4', expected a digit"
        );
        CHECK(
            reading("upu-s10", "R1123456785DE") == "refused: character 2 is '1', expected a letter"
        );
        CHECK(
            reading("yodel-18", "JC0002254405060992") == "refused: character 2 is 'C', expected 'D'"
        );
        CHECK(
            reading("ups-1z", "1Z879E9*0346834440") ==
            "refused: character 8 is '*', expected a digit or letter"
        );
        CHECK(
            reading("tnt-9", std::string(201, '1')) ==
            "refused: the text has more than 200 characters"
        );
    }

    TEST_CASE("a parameter that is known must be in the number")
    {
        CHECK(
            reading("upu-s10", "RB123456785DE", {{"cc", "AT"}}) ==
            "refused: parameter cc: expected AT, found DE"
        );
        CHECK(
            reading("gs1-sscc", "000123450000000027", {{"gcp", "0012346"}}) ==
            "refused: parameter gcp: expected 0012346, found 0012345"
        );
        CHECK(
            text(bound("upu-s10", {{"svc", "RB"}, {"cc", "AT"}}).read_number("RB123456785DE")) ==
            "refused: parameter cc: expected AT, found DE"
        );
    }

    TEST_CASE("application identifiers in front of a number are skipped")
    {
        auto const sscc = "376104250021234569 serial 3456 ext=3 ambiguous";
        CHECK(reading("gs1-sscc", "376104250021234569") == sscc);
        CHECK(reading("gs1-sscc", "(00) 3 7610425 002123456 9") == sscc);
        CHECK(reading("gs1-sscc", "00376104250021234569") == sscc);
        CHECK(
            reading("gs1-sscc", "01376104250021234569") ==
            "refused: wrong length: expected 18 characters, found 20"
        );
        CHECK(
            reading("gs1-sscc", "(00)376104250021234568") ==
            "refused: check character: expected 9, found 8"
        );

        auto const usps = "9400111206206406260787 serial 0626078 ai=94 stc=001 ambiguous";
        CHECK(reading("usps-impb-22", "420787459400111206206406260787") == usps);
        CHECK(reading("usps-impb-22", "(420)78745(94)00111206206406260787") == usps);
        CHECK(reading("usps-impb-22", "421787459400111206206406260787").starts_with("refused: "));
        CHECK(reading("usps-impb-22", "4207874X9400111206206406260787").starts_with("refused: "));
    }

    TEST_CASE("an SSCC with and without its 00 is the same parcel")
    {
        auto const expected = "00340434161094027318 serial 2731 ext=3 ambiguous";
        CHECK(reading("dhl-paket-20", "00340434161094027318") == expected);
        CHECK(reading("dhl-paket-20", "(00)340434161094027318") == expected);
        CHECK(reading("dhl-paket-20", "340434161094027318") == expected);
        CHECK(
            reading("dhl-paket-20", "340434161094027317") ==
            "refused: wrong length: expected 20 characters, found 18"
        );
    }

    TEST_CASE("a serial without a width has no leading zeros")
    {
        CHECK(text(bound("plain").read_number("4711")) == "4711");
        CHECK(text(bound("plain").read_number("0")) == "0");
        CHECK(
            text(bound("plain").read_number("04711")) ==
            "refused: leading zeros: a serial without fixed width has none"
        );
        CHECK(text(bound("plain").read_number("9223372036854775807")).starts_with("refused: "));
        CHECK(text(bound("plain").read_number("4711A")).starts_with("refused: character 5 is 'A'"));
    }

    TEST_CASE("a serial beyond 64 bits is read as text, but belongs to no series")
    {
        CHECK(
            reading("canpar-22", "D576002440000001718010") ==
            "D576002440000001718010 serial 576002440000001718010 pre=D"
        );
        CHECK(
            text(bound("canpar-22", {{"pre", "D"}}).read_number("D576002440000001718010")) ==
            "refused: the serial 576002440000001718010 is above 9223372036854775806, the "
            "largest that fits"
        );
        CHECK(reading("iso7064-37-36-any", "QWERDYTVORAK1").starts_with("refused: check"));
        CHECK(text(bound("iso7064-37-36-any").read_number("BF")).starts_with("refused: "));
    }

    TEST_CASE("digits become serials in base 10 and 36, up to 2^63 - 2")
    {
        CHECK(to_serial("0", 10) == 0);
        CHECK(to_serial("9223372036854775806", 10) == 9'223'372'036'854'775'806);
        CHECK_FALSE(to_serial("9223372036854775807", 10).has_value());
        CHECK_FALSE(to_serial("99999999999999999999", 10).has_value());
        CHECK(to_serial("0000000000000000000000001", 10) == 1);
        CHECK(to_serial("1Y2P0IJ32E8E6", 36) == 9'223'372'036'854'775'806);
        CHECK_FALSE(to_serial("1Y2P0IJ32E8E7", 36).has_value());
        CHECK_FALSE(to_serial("A", 10).has_value());
        CHECK_FALSE(to_serial("", 10).has_value());
        CHECK_FALSE(to_serial("-1", 10).has_value());
        CHECK_FALSE(to_serial("a", 36).has_value());
    }
}

}  // namespace number_reader_test
