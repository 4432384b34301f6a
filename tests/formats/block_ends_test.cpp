#include "formats/block_ends.hpp"
#include "formats/numbers.hpp"

#include <doctest/doctest.h>

namespace block_ends_test {

using namespace gapless;
using namespace gapless::test;

std::string ends(bound_format const& format, std::string_view first, std::string_view last)
{
    auto const block = read_block_ends(format, first, last);
    if (block.has_error())
        return "refused: " + block.error().reason;
    return std::to_string(block->first_serial) + "-" + std::to_string(block->last_serial) + " " +
           std::string{name_of(block->read_as)} +
           (block->completed.empty() ? "" : ": " + block->completed);
}

TEST_SUITE("formats/block_ends")
{
    TEST_CASE("serials are taken as they are")
    {
        CHECK(
            ends(bound("plain"), "4901214213405250000", "4901214213405500000") ==
            "4901214213405250000-4901214213405500000 serials"
        );
        CHECK(
            ends(bound("fedex-express-12"), "79479134194", "79479134201") ==
            "79479134194-79479134201 serials"
        );
        CHECK(ends(bound("tnt-9"), "5", "00000007") == "5-7 serials");
        CHECK(ends(bound("tnt-9"), " 12.345.678 ", "99 999 999") == "12345678-99999999 serials");
        CHECK(ends(bound("tnt-9"), "7", "7") == "7-7 serials");
    }

    TEST_CASE("a negative or broken number is no serial, and is not made one")
    {
        for (auto const* text : {"-1", "+1", "1.0", "1,5", "1-2", "1.", "1.2345", "1.000", "(1)"})
        {
            CHECK_MESSAGE(ends(bound("plain"), text, "20").starts_with("refused: "), text);
            CHECK_MESSAGE(ends(bound("tnt-9"), "1", text).starts_with("refused: "), text);
        }
        CHECK(ends(bound("plain"), "1.000.000", "2-000-000") == "1000000-2000000 serials");
    }

    TEST_CASE("whole numbers are taken when both check")
    {
        CHECK(
            ends(bound("fedex-express-12"), "794791341943", "794791342012") ==
            "79479134194-79479134201 numbers"
        );
        auto const paket = bound("dhl-paket-20", {{"ext", "3"}, {"gcp", "4043416109"}});
        CHECK(
            ends(paket, "(00) 3404 3416 1094 0273 18", paket.to_number(402740)) ==
            "402731-402740 numbers"
        );
        auto const s10 = bound("upu-s10", {{"svc", "RB"}, {"cc", "DE"}});
        CHECK(ends(s10, "rb123456785de", "RB123456785DE") == "12345678-12345678 numbers");
    }

    TEST_CASE("an end with a wrong check character is refused, not cut")
    {
        CHECK(
            ends(bound("fedex-express-12"), "794791341943", "794791342013") ==
            "refused: the last end 794791342013 is no serial (it is above 99999999999, the "
            "largest serial that fits) and no number (check character: expected 2, found 3)"
        );
        CHECK(ends(bound("tnt-9"), "123456784", "123456785")
                  .starts_with("refused: the first end 123456784 is no serial"));
    }

    TEST_CASE("one serial and one number are refused")
    {
        CHECK(
            ends(bound("fedex-express-12"), "79479134194", "794791342012") ==
            "refused: the first end 79479134194 is a serial, but the last end 794791342012 is a "
            "whole number; give both the same way"
        );
    }

    TEST_CASE("ends that are not whole are completed, both the same way, and told")
    {
        auto const s10 = bound("upu-s10", {{"svc", "DL"}, {"cc", "BR"}});
        CHECK(
            ends(s10, "DL76023726 BR", "DL76023799 BR") ==
            "76023726-76023799 numbers: DL76023726 BR and DL76023799 BR are read as "
            "DL760237269BR…DL760237992BR without check digits"
        );
        CHECK(
            ends(s10, "DL76023726 BR", "DL760237992BR") ==
            "refused: the first end 'DL76023726 BR' is DL760237269BR without its check digit, but "
            "the last end DL760237992BR is a whole number; give both the same way"
        );
        auto const hermes = bound("hermes-14", {{"cust", "091"}});
        CHECK(
            ends(hermes, "9133131530724", "9133131530731") ==
            "3313153072-3313153073 numbers: 9133131530724 and 9133131530731 are read as "
            "09133131530724…09133131530731 without zeros in front"
        );
        CHECK(
            ends(bound("fedex-express-12"), "79479134190", "79479134992") ==
            "79479134190-79479134992 serials: the ends are read as serials, they could also be "
            "079479134190…079479134992 without zeros in front"
        );
        CHECK(
            ends(bound("fedex-express-12"), "1234567894", "1235567880") ==
            "1234567894-1235567880 serials: the ends are read as serials, they could also be "
            "001234567894…001235567880 without zeros in front"
        );
        CHECK(ends(bound("fedex-express-12"), "1234567894", "1235567881").ends_with(" serials"));
    }

    TEST_CASE("numbers of another series are refused")
    {
        auto const s10 = bound("upu-s10", {{"svc", "RB"}, {"cc", "DE"}});
        CHECK(
            ends(s10, "RB123456785AT", "RB123456785DE") ==
            "refused: the first end RB123456785AT is no serial (it is not made of digits) and "
            "no number (parameter cc: expected DE, found AT)"
        );
    }

    TEST_CASE("a block does not run backwards")
    {
        CHECK(
            ends(bound("tnt-9"), "8", "7") ==
            "refused: the block runs backwards: its last number 7 is before its first, 8"
        );
        CHECK(
            ends(bound("fedex-express-12"), "794791342012", "794791341943") ==
            "refused: the block runs backwards: its last number 794791341943 is before its first, "
            "794791342012"
        );
        CHECK(*read_issued_until(bound("tnt-9"), "8", "8") == 8);
        CHECK(
            read_issued_until(bound("tnt-9"), "8", "7").error().reason ==
            "7 is before the first number of the block, 8"
        );
        CHECK(
            read_issued_until(bound("tnt-9"), "8", "x").error().reason ==
            "x is no serial (it is not made of digits) and no number (wrong length: expected 9 "
            "characters, found 1)"
        );
    }

    TEST_CASE("serials that do not fit the number are refused when the block is loaded")
    {
        CHECK(ends(bound("tnt-9"), "99999990", "100000000")
                  .starts_with("refused: the last end 100000000 is no serial (it is above "
                               "99999999, the largest serial that fits)"));
        CHECK(ends(bound("tnt-9"), "000000001", "2").starts_with("refused: the first end"));
        CHECK(ends(bound("plain"), "0", "9223372036854775806") == "0-9223372036854775806 serials");
        CHECK(ends(bound("plain"), "0", "9223372036854775807").starts_with("refused: "));
        CHECK(ends(bound("plain"), "0", "99999999999999999999").starts_with("refused: "));
    }

    TEST_CASE("junk is refused with its reasons")
    {
        CHECK(
            ends(bound("plain"), "", "1") ==
            "refused: the first end  is no serial (it is empty) and no number (wrong length: "
            "expected 1 to 64 characters, found 0)"
        );
        CHECK(ends(bound("plain"), "1", "-x").starts_with("refused: the last end -x is no serial"));
        CHECK(ends(bound("plain"), "1e5", "2").starts_with("refused: "));
    }

    TEST_CASE("ends that could be serials as well as numbers are refused")
    {
        auto const format = bound("iso7064-37-36-any");
        auto const first = format.to_number(1);  // 1 and its check character
        auto const last = format.to_number(100);
        CHECK(ends(format, "1", "100") == "1-100 serials");
        CHECK(first == "1Z");
        CHECK(ends(format, first, last) == "1-100 numbers");
        CHECK(
            ends(format, "02", "02") == "refused: the ends 02 and 02 can be read as serials and "
                                        "as whole numbers; more zeros in front make them serials"
        );
        CHECK(
            ends(bound("gls-8"), "00000001", "00001000") ==
            "refused: the ends 00000001 and 00001000 can be read as serials and as whole numbers; "
            "more zeros in front make them serials"
        );
        CHECK(ends(bound("gls-8"), "00000001", "000001000") == "1-1000 serials");
    }

    TEST_CASE("in base 36 serials are decimal, and printed serials stand in whole numbers")
    {
        auto const format = bound("ups-1z-alnum", {{"acct", "879E93"}, {"svc", "03"}});
        CHECK(ends(format, "35", "36") == "35-36 serials");
        CHECK(ends(format, format.to_number(35), format.to_number(1295)) == "35-1295 numbers");
        CHECK(ends(format, "000000Z", "0000010").starts_with("refused: the first end 000000Z"));
    }
}

}  // namespace block_ends_test
