#include "formats/number_format.hpp"
#include "formats/numbers.hpp"

#include <doctest/doctest.h>

namespace number_format_test {

using namespace gapless;
using namespace gapless::test;

std::string refusal_of(std::string number, std::string check = "none")
{
    return outcome_of(declared(std::move(number), std::move(check)));
}

TEST_SUITE("formats/number_format")
{
    TEST_CASE("a template has exactly one serial")
    {
        CHECK(refusal_of("{n:8}") == "compiles");
        CHECK(refusal_of("ABC") == "the template has no serial; write it as {n:8} or {n:*}");
        CHECK(
            refusal_of("{n:8}A{n:2}") ==
            "template position 7: a second serial; a number has exactly one"
        );
        CHECK(refusal_of("") == "the template is empty");
    }

    TEST_CASE("a check character and its algorithm come together")
    {
        CHECK(refusal_of("[{n:8}]{c}", "gs1") == "compiles");
        CHECK(
            refusal_of("{n:8}{c}") ==
            "template position 6: {c} needs a check algorithm, but check is 'none'"
        );
        CHECK(
            refusal_of("[{n:8}]") ==
            "template position 2: [ ] marks what a check algorithm reads, but check is 'none'"
        );
        CHECK(
            refusal_of("[{n:8}]", "gs1") ==
            "check is 'gs1', but the template has no {c} to print its character"
        );
        CHECK(
            refusal_of("{n:8}{c}", "gs1") ==
            "check is 'gs1', but no [ ] marks the characters it reads"
        );
        CHECK(
            refusal_of("[{n:8}]{c}{c}", "gs1") ==
            "template position 11: a second {c}; a number has at most one check character"
        );
        CHECK(
            refusal_of("[{n:8}{c}]", "gs1") ==
            "template position 7: {c} inside [ ]; a check character cannot check itself"
        );
        CHECK(
            refusal_of("[{a:N2}]{n:8}{c}", "gs1") ==
            "template position 9: the serial stands outside [ ], so {c} would not protect it"
        );
    }

    TEST_CASE("an unknown algorithm is refused with the list of those there are")
    {
        auto const reason = refusal_of("[{n:8}]{c}", "gs2");
        CHECK(reason.starts_with("there is no check algorithm 'gs2'; there are none gs1 "));
        CHECK(reason.ends_with(" correos"));
    }

    TEST_CASE("brackets are balanced and not nested")
    {
        CHECK(refusal_of("[{a:N2}]A[{n:8}]{c}", "gs1") == "compiles");
        CHECK(
            refusal_of("[{n:8}{c}", "gs1") ==
            "template position 7: {c} inside [ ]; a check character cannot check itself"
        );
        CHECK(refusal_of("{c}[{n:8}", "gs1") == "template position 4: '[' without ']'");
        CHECK(refusal_of("{n:8}]{c}", "gs1") == "template position 6: ']' without '['");
        CHECK(
            refusal_of("[[{n:8}]]{c}", "gs1") ==
            "template position 2: '[' inside '['; what is checked cannot be nested"
        );
        CHECK(
            refusal_of("[]{n:8}{c}", "gs1") ==
            "template position 2: nothing stands between '[' and ']'"
        );
    }

    TEST_CASE("the serial has a width and a base")
    {
        CHECK(refusal_of("{n:64}") == "compiles");
        CHECK(refusal_of("{n:7:36}") == "compiles");
        CHECK(refusal_of("{n:7:10}") == "compiles");
        auto const width =
            "template position 1: the width of a serial is a number from 1 to 64 or *, as in {n:8}";
        for (auto const* const number :
             {"{n}", "{n:}", "{n:0}", "{n:65}", "{n:-1}", "{n:8x}", "{n: 8}", "{n:99999999999999}"})
            CHECK(refusal_of(number) == width);
        CHECK(
            refusal_of("{n:7:16}") ==
            "template position 1: the base of a serial is 10 or 36, not '16'"
        );
        CHECK(
            refusal_of("{n:7:}") == "template position 1: the base of a serial is 10 or 36, not ''"
        );
    }

    TEST_CASE("parameters have sane, unique names")
    {
        CHECK(refusal_of("{mail_centre2:N2}{n:8}") == "compiles");
        CHECK(
            refusal_of("{a:N2}{n:8}{a:N2}") ==
            "template position 12: parameter 'a' stands twice; once is enough"
        );
        auto const sane = std::string{
            " is no parameter name: a small letter, then small letters, digits or underscores, "
            "at most 32"};
        CHECK(refusal_of("{Depot:N2}{n:8}") == "template position 1: 'Depot'" + sane);
        CHECK(refusal_of("A{:N2}{n:8}") == "template position 2: ''" + sane);
        CHECK(refusal_of("{2a:N2}{n:8}") == "template position 1: '2a'" + sane);
        CHECK(refusal_of("{a-b:N2}{n:8}") == "template position 1: 'a-b'" + sane);
        CHECK(
            refusal_of("{number:N2}{n:8}") ==
            "template position 1: 'number' is a word of the template language, no parameter"
        );
        CHECK(
            refusal_of("{c:N2}{n:8}") ==
            "template position 1: 'c' is a word of the template language, no parameter"
        );
    }

    TEST_CASE("a name that cannot be printed is shown without what a terminal would obey")
    {
        CHECK(
            outcome_of(declared("{n:4}{\x1b[2J\xdb:N2}")) ==
            "template position 6: '\\x1b[2J\\xdb' is no parameter name: a small letter, then small "
            "letters, "
            "digits or underscores, at most 32"
        );
    }

    TEST_CASE("parameters have a type and a length")
    {
        CHECK(
            refusal_of("{a:N64}{n:*}") == "numbers could have 65 characters; at most 64 are allowed"
        );
        CHECK(refusal_of("{a:X1-5}{n:8}") == "compiles");
        auto const type =
            "template position 1: parameter 'a' needs a type N, A or X and a length, as in {a:N4}";
        for (auto const* const number : {"{a}{n:8}", "{a:}{n:8}", "{a:B4}{n:8}", "{a:4}{n:8}"})
            CHECK(refusal_of(number) == type);
        auto const length = "template position 1: the length of parameter 'a' is a number from 1 "
                            "to 64, or shortest-longest";
        for (auto const* const number :
             {"{a:N}{n:8}",
              "{a:N0}{n:8}",
              "{a:N65}{n:8}",
              "{a:N5-4}{n:8}",
              "{a:N4-}{n:8}",
              "{a:N-4}{n:8}",
              "{a:N4-5-6}{n:8}",
              "{a:N4:36}{n:8}"})
            CHECK(refusal_of(number) == length);
        CHECK(
            refusal_of("{a:N1-2}{b:N1-2}{d:N1-2}{n:8}") ==
            "template position 17: more than two parameters of variable length"
        );
    }

    TEST_CASE("literals are capitals, digits and separators")
    {
        CHECK(refusal_of("1LS7{n:12}-1") == "compiles");
        CHECK(
            refusal_of("ab{n:8}") == "template position 1: 'a' cannot stand in a number; "
                                     "capitals, digits, blank, dot and dash can"
        );
        CHECK(refusal_of("A\"{n:8}").starts_with("template position 2: '\"' cannot stand"));
        CHECK(refusal_of("{n:8}\x01").starts_with("template position 6: '\\x01' cannot stand"));
        CHECK(refusal_of("{n:8}}").starts_with("template position 6: '}' cannot stand"));
        CHECK(refusal_of("A{n:8") == "template position 2: '{' without '}'");
        CHECK(
            refusal_of("[1-{n:8}]{c}", "gs1") ==
            "template position 3: a separator cannot be checked; move it out of [ ]"
        );
    }

    TEST_CASE("an algorithm that reads digits only is given digits only")
    {
        auto const reads = " reads digits only, but letters can stand here";
        CHECK(
            refusal_of("[{a:X2}{n:8}]{c}", "gs1") ==
            std::string{"template position 2: check algorithm 'gs1'"} + reads
        );
        CHECK(
            refusal_of("[AB{n:8}]{c}", "mod7") ==
            std::string{"template position 2: check algorithm 'mod7'"} + reads
        );
        CHECK(
            refusal_of("[{n:8:36}]{c}", "iso7064-11-10") ==
            std::string{"template position 2: check algorithm 'iso7064-11-10'"} + reads
        );
        CHECK(refusal_of("[{a:X2}{n:8:36}]{c}", "ups") == "compiles");
        CHECK(refusal_of("{a:X2}[{n:8}]{c}", "gs1") == "compiles");
    }

    TEST_CASE("the template and the declared length agree")
    {
        auto with_length = [](std::string number, std::size_t min, std::size_t max) {
            auto declaration = declared(std::move(number));
            declaration.length = {min, max};
            return outcome_of(declaration);
        };
        CHECK(with_length("{a:N4-12}{n:*}", 18, 18) == "compiles");
        CHECK(with_length("{n:8}", 8, 8) == "compiles");
        CHECK(with_length("{n:*}", 1, 64) == "compiles");
        CHECK(
            with_length("{n:8}", 9, 9) == "the template makes 8 to 8 characters, but length is 9"
        );
        CHECK(
            with_length("{a:N4-12}{n:*}", 4, 4) ==
            "the template makes 5 to 64 characters, but length is 4"
        );
        CHECK(
            with_length("{a:N2-3}{n:4}", 8, 9) ==
            "the template makes 6 to 7 characters, but length is 8-9"
        );
        auto const range = "length is a number from 1 to 64, or shortest-longest";
        CHECK(with_length("{n:*}", 0, 5) == range);
        CHECK(with_length("{n:*}", 5, 4) == range);
        CHECK(with_length("{n:*}", 65, 65) == range);
    }

    TEST_CASE("templates and numbers have a largest length")
    {
        CHECK(refusal_of(std::string(60, 'A') + "{n:4}") == "compiles");
        CHECK(
            refusal_of(std::string(60, 'A') + "{n:5}") ==
            "numbers could have 65 characters; at most 64 are allowed"
        );
        CHECK(
            refusal_of(std::string(196, 'A') + "{n:5}") ==
            "the template has 201 characters; at most 200 are allowed"
        );
    }

    TEST_CASE("format names and symbologies are small letters, digits and dashes")
    {
        auto named = [](std::string name) {
            auto declaration = declared("{n:8}");
            declaration.name = std::move(name);
            return outcome_of(declaration);
        };
        CHECK(named("my-format-2") == "compiles");
        CHECK(named(std::string(63, 'a')) == "compiles");
        CHECK(
            named("My") == "format name 'My': small letters, digits and dashes, 1 to 63 characters"
        );
        CHECK(named("").starts_with("format name ''"));
        CHECK(named(std::string(64, 'a')).starts_with("format name 'aaa"));

        auto declaration = declared("{n:8}");
        declaration.barcode = {"Code 128", "{number}"};
        CHECK(
            outcome_of(declaration) ==
            "there is no symbology 'Code 128'; there are code128 gs1-128 itf itf14 identcode "
            "leitcode codabar dpd datamatrix"
        );
        declaration.barcode = {"code128", ""};
        CHECK(outcome_of(declaration) == "a barcode needs both a symbology and data");
        declaration.barcode = {"", "{number}"};
        CHECK(outcome_of(declaration) == "a barcode needs both a symbology and data");
    }

    TEST_CASE("a compiled format tells its parameters and where they stand")
    {
        auto const& format = *find_format("dpd-15");
        REQUIRE(format.parameters().size() == 4);
        CHECK(format.find_parameter("depot")->is_in_number);
        CHECK(description_of(format.find_parameter("depot")->spec) == "4 digits or letters");
        CHECK_FALSE(format.find_parameter("svc")->is_in_number);
        CHECK(format.find_parameter("n") == nullptr);
        CHECK(format.length_min() == 15);
        CHECK(format.length_max() == 15);
    }
}

}  // namespace number_format_test
