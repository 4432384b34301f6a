#include "base/contract.hpp"
#include "formats/bound_format.hpp"
#include "formats/numbers.hpp"

#include <doctest/doctest.h>

namespace bound_format_test {

using namespace gapless;
using namespace gapless::test;

std::string refusal_of(std::string_view name, parameter_values const& parameters)
{
    auto const outcome = bound_format::bind(*find_format(name), parameters);
    return outcome.has_value() ? "binds" : outcome.error().reason;
}

// A bound format with no catalogue row.
bound_format bound_to(
    number_declaration const& declaration, parameter_values const& parameters = {}
)
{
    return bound_format::bind(number_format::compile(declaration).value(), parameters).value();
}

std::string list_of(bound_format const& format, std::int64_t first, std::int64_t count)
{
    std::string list;
    format.append_numbers(first, count, {"", "", " "}, list);
    return list;
}

TEST_SUITE("formats/bound_format")
{
    TEST_CASE("a series has every parameter of its numbers, and each fits")
    {
        CHECK(refusal_of("upu-s10", {{"svc", "RB"}, {"cc", "DE"}}) == "binds");
        CHECK(
            refusal_of("upu-s10", {{"svc", "RB"}}) ==
            "format upu-s10 needs the parameter cc: 2 letters"
        );
        CHECK(
            refusal_of("upu-s10", {{"svc", "R1"}, {"cc", "DE"}}) ==
            "parameter svc takes 2 letters, not 'R1'"
        );
        CHECK(
            refusal_of("upu-s10", {{"svc", "RBX"}, {"cc", "DE"}}) ==
            "parameter svc takes 2 letters, not 'RBX'"
        );
        CHECK(
            refusal_of("upu-s10", {{"svc", "RB"}, {"cc", "DE"}, {"zip", "1"}}) ==
            "format upu-s10 has no parameter 'zip'; it has svc, cc"
        );
        CHECK(refusal_of("plain", {{"zip", "1"}}) == "format plain has no parameter 'zip'");
        CHECK(
            refusal_of("gs1-sscc", {{"ext", "3"}, {"gcp", "123"}}) ==
            "parameter gcp takes 4 to 12 digits, not '123'"
        );
    }

    TEST_CASE("parameters leave room for a serial")
    {
        auto declaration = declared("{a:N4-12}{n:*}");
        declaration.length = {8, 8};
        auto const format = number_format::compile(declaration).value();
        CHECK(bound_format::bind(format, {{"a", "1234567"}})->serial_max() == 9);
        CHECK(
            bound_format::bind(format, {{"a", "12345678"}}).error().reason ==
            "the parameters fill all 8 characters of the number; the serial has none"
        );

        auto ranged = declared("{a:N2-4}{n:4}");
        ranged.length = {8, 8};
        auto const narrow = number_format::compile(ranged).value();
        CHECK(bound_format::bind(narrow, {{"a", "1234"}})->to_number(7) == "12340007");
        CHECK(
            bound_format::bind(narrow, {{"a", "12"}}).error().reason ==
            "with these parameters a number has 6 characters, but length is 8"
        );
    }

    TEST_CASE("small letters of parameters are made capitals")
    {
        CHECK(
            bound("upu-s10", {{"svc", "rb"}, {"cc", "de"}}).to_number(12345678) == "RB123456785DE"
        );
    }

    TEST_CASE("the width is a hard limit")
    {
        auto const format = bound("tnt-9");
        CHECK(format.serial_max() == 99'999'999);
        CHECK(format.to_number(99'999'999).starts_with("99999999"));
        CHECK_THROWS_AS(format.to_number(100'000'000), contract_violation);
        CHECK_THROWS_AS(format.to_number(-1), contract_violation);
        CHECK_THROWS_AS(list_of(format, 99'999'998, 3), contract_violation);
        CHECK_THROWS_AS(list_of(format, 5, 0), contract_violation);
        CHECK_THROWS_AS(list_of(format, 5, -1), contract_violation);
        CHECK(list_of(format, 99'999'998, 2).size() == 2 * 9 + 1);
    }

    TEST_CASE("the largest serial is 2^63 - 2, however wide the number is")
    {
        constexpr auto largest = std::int64_t{9'223'372'036'854'775'806};
        for (auto const* const number : {"{n:19}", "{n:21}", "{n:*}", "{n:13:36}", "{n:*:36}"})
        {
            auto const format = bound_to(declared(number));
            CHECK(format.serial_max() == largest);
            CHECK(text(format.read_number(format.to_number(largest))) == "9223372036854775806");
            CHECK_THROWS_AS(format.to_number(largest + 1), contract_violation);
            CHECK_THROWS_AS(list_of(format, largest, 2), contract_violation);
            CHECK(
                list_of(format, largest - 1, 2) ==
                format.to_number(largest - 1) + " " + format.to_number(largest)
            );
        }
        CHECK(bound("plain-19").to_number(largest) == "9223372036854775806");
        CHECK(
            text(bound("plain-19").read_number("9223372036854775807")) ==
            "refused: the serial 9223372036854775807 is above 9223372036854775806, the largest "
            "that fits"
        );
        CHECK(bound_to(declared("{n:18}")).serial_max() == 999'999'999'999'999'999);
        CHECK(bound_to(declared("{n:12:36}")).serial_max() == 4'738'381'338'321'616'895);
    }

    TEST_CASE("base 36 counts 9, A and Z, 10")
    {
        auto const format = bound_to(declared("{n:3:36}"));
        CHECK(format.serial_max() == 46655);
        CHECK(list_of(format, 8, 3) == "008 009 00A");
        CHECK(list_of(format, 34, 3) == "00Y 00Z 010");
        CHECK(list_of(format, 1294, 3) == "0ZY 0ZZ 100");
        CHECK(list_of(format, 46654, 2) == "ZZY ZZZ");
        CHECK(text(format.read_number("0zz")) == "1295");
        CHECK(bound("lasership-1lscx").to_number(3'187'854'517'650'333) == "1LSCXVE005BUEFX");
    }

    TEST_CASE("a serial that fills up is padded to the declared length")
    {
        CHECK(bound("gs1-sscc", {{"ext", "0"}, {"gcp", "0012345"}}).serial_max() == 999'999'999);
        CHECK(bound("gs1-sscc", {{"ext", "0"}, {"gcp", "001234500000"}}).serial_max() == 9999);
        CHECK(
            bound("gs1-sscc", {{"ext", "0"}, {"gcp", "001234500000"}}).to_number(2) ==
            "000123450000000027"
        );
        auto const format = bound("dhl-gm-variable", {{"pre", "GM"}});
        CHECK(format.to_number(35) == "GM000000000Z");
        CHECK(format.to_number(9'223'372'036'854'775'806) == "GM1Y2P0IJ32E8E6");
        CHECK(list_of(format, 3'656'158'440'062'975, 2) == "GMZZZZZZZZZZ GM10000000000");
    }

    TEST_CASE("a serial without a width grows, and its check character with it")
    {
        CHECK(list_of(bound("plain"), 98, 4) == "98 99 100 101");
        auto const format = bound("iso7064-37-36-any");
        CHECK(format.to_number(0) == "02");
        CHECK(format.to_number(7) == "7N");
        auto const weighted = bound_to(declared("A[{n:*}]{c}", "gs1"));
        CHECK(list_of(weighted, 9, 2) == "A93 A109");
        CHECK(text(weighted.read_number("A109")) == "10");
        CHECK(text(weighted.read_number("A0109")).starts_with("refused: "));
    }

    TEST_CASE("the check character may stand before the serial, and literals anywhere")
    {
        auto const format = bound_to(declared("X{c}-[7{n:4}][8]Y", "gs1"));
        auto const number = format.to_number(123);
        CHECK(
            number ==
            std::string{"X"} + *check_character(*find_check_algorithm("gs1"), "701238") + "-701238Y"
        );
        CHECK(list_of(format, 122, 2).ends_with(number));
        CHECK(text(format.read_number(number)) == "123");
    }
}

}  // namespace bound_format_test
