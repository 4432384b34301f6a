#include "formats/make_and_check.hpp"
#include "formats/numbers.hpp"

#include <doctest/doctest.h>

namespace make_and_check_test {

using namespace gapless;
using namespace gapless::test;

std::string make(
    std::string_view name, std::string_view serial, parameter_values const& parameters = {}
)
{
    return text(make_number(*find_format(name), serial, parameters));
}

std::string check(
    std::string_view name, std::string_view number, parameter_values const& parameters = {}
)
{
    auto const verdict = check_number(*find_format(name), number, parameters);
    return (verdict.valid ? "valid " + verdict.serial : std::string{"invalid"}) +
           (verdict.reason.empty() ? "" : ": " + verdict.reason);
}

TEST_SUITE("formats/make_and_check")
{
    TEST_CASE("a number is made from a serial, padded or not")
    {
        CHECK(make("tnt-9", "12345678") == "123456785");
        CHECK(make("tnt-9", "1") == bound("tnt-9").to_number(1));
        CHECK(make("tnt-9", "00000001") == bound("tnt-9").to_number(1));
        CHECK(make("tnt-9", "000000000001") == bound("tnt-9").to_number(1));
        CHECK(make("upu-s10", "12345678", {{"svc", "rb"}, {"cc", "DE"}}) == "RB123456785DE");
        CHECK(make("gs1-sscc", "2", {{"ext", "0"}, {"gcp", "0012345"}}) == "000123450000000027");
        CHECK(make("lasership-1lscx", "VE005BUEFX") == "1LSCXVE005BUEFX");
        CHECK(
            make("iso7064-37-36-any", "QWERDYTVORAK") ==
            std::string{"QWERDYTVORAK"} +
                *check_character(*find_check_algorithm("iso7064-37-36"), "QWERDYTVORAK")
        );
        CHECK(make("plain", "4711") == "4711");
        CHECK(make("plain", "0004711") == "4711");
    }

    TEST_CASE("a serial that does not fit is refused")
    {
        CHECK(
            make("tnt-9", "123456789") ==
            "refused: the serial 123456789 does not fit the 8 characters a number has for it"
        );
        CHECK(make("tnt-9", "") == "refused: the serial is made of digits, not ''");
        CHECK(make("tnt-9", "12A") == "refused: the serial is made of digits, not '12A'");
        CHECK(make("plain-19", "9223372036854775806") == "9223372036854775806");
        CHECK(
            make("plain-19", "9223372036854775807") ==
            "refused: the serial 9223372036854775807 is above 9223372036854775806, the largest "
            "there is"
        );
        CHECK(make("plain", "9223372036854775807").starts_with("refused: "));
        CHECK(make("dhl-gm-variable", "1Y2P0IJ32E8E7", {{"pre", "GM"}}).starts_with("refused: "));
        CHECK(
            make("canpar-22", "576002440000001718010", {{"pre", "D"}}) == "D576002440000001718010"
        );
    }

    TEST_CASE("a parameter that is missing or unknown is refused")
    {
        CHECK(
            make("upu-s10", "1", {{"svc", "RB"}}) ==
            "refused: format upu-s10 needs the parameter cc: 2 letters"
        );
        CHECK(
            make("tnt-9", "1", {{"svc", "RB"}}) == "refused: format tnt-9 has no parameter 'svc'"
        );
        CHECK(
            check("tnt-9", "123456785", {{"svc", "RB"}}) ==
            "invalid: format tnt-9 has no parameter 'svc'"
        );
        CHECK(
            make("gs1-sscc", "1", {{"ext", "0"}, {"gcp", "123"}}) ==
            "refused: parameter gcp takes 4 to 12 digits, not '123'"
        );
    }

    TEST_CASE("checking answers with the serial, or with the reason")
    {
        CHECK(check("tnt-9", "123 456 785") == "valid 12345678");
        CHECK(check("tnt-9", "123456784") == "invalid: check character: expected 5, found 4");
        CHECK(
            check("gs1-sscc", "000123450000000027") ==
            "valid 0002: parameters of variable length were read at their longest; give them to "
            "be sure"
        );
        CHECK(check("gs1-sscc", "000123450000000027", {{"gcp", "0012345"}}) == "valid 000000002");
        CHECK(
            check("plain", "007") == "invalid: leading zeros: a serial without fixed width has none"
        );
    }

    TEST_CASE("a serial without a width that is above the largest makes no valid number")
    {
        CHECK(check("plain", "9223372036854775806") == "valid 9223372036854775806");
        CHECK(
            check("plain", "9223372036854775807") ==
            "invalid: the serial 9223372036854775807 is above 9223372036854775806, the largest "
            "there is"
        );
        CHECK(check("plain", "12345678901234567890").starts_with("invalid: "));
    }

    TEST_CASE("what no carrier assigns is invalid, unless the caller says that it is")
    {
        CHECK(check("upu-s10", "RB123456785XX") == "invalid: parameter cc: XX is not assigned");
        CHECK(check("upu-s10", "RB123456785XX", {{"cc", "XX"}}) == "valid 12345678");
        CHECK(
            check("amazon-tba", "TBB000000000000") ==
            "invalid: parameter mkt: B is not assigned; known are A C M"
        );
        CHECK(
            check("odfl-11", "79927398713") ==
            "invalid: serial 7992739871 is not assigned; known are 072* 777* 778* 780* 80*"
        );
    }

    TEST_CASE("making does not ask what is assigned, a carrier may open a new range")
    {
        CHECK(make("odfl-11", "7992739871") == "79927398713");
        CHECK(text(bound("odfl-11").read_number("79927398713")) == "7992739871");
    }
}

}  // namespace make_and_check_test
