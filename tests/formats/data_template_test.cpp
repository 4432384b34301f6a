#include "formats/data_template.hpp"
#include "formats/numbers.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("formats/data_template")
{
    TEST_CASE("a mask has one place for every character of the number")
    {
        auto with_hrt = [](std::string number, std::string hrt) {
            auto declaration = declared(std::move(number));
            declaration.hrt = std::move(hrt);
            return outcome_of(declaration);
        };
        CHECK(with_hrt("AB{n:4}", "## ####") == "compiles");
        CHECK(with_hrt("AB{n:4}", "## ###") == "hrt has 5 times #, but a number has 6 characters");
        CHECK(
            with_hrt("{a:N1-2}{n:4}", "## ####") ==
            "hrt is a mask of #, but numbers of this format differ in length; use {number}"
        );
        CHECK(with_hrt("AB{n:4}", "#{number}") == "compiles");
        CHECK(
            with_hrt("AB{n:4}", "{numer}") ==
            "hrt position 1: there is no parameter 'numer'; declare it as in {numer:N4}"
        );
        CHECK(with_hrt("AB{n:4}", "{number") == "hrt position 1: '{' without '}'");
        CHECK(with_hrt("AB{n:4}", "a}{number}") == "hrt position 2: '}' without '{'");
        CHECK(with_hrt("AB{n:4}", "\xC3\xA4 {number}") == "hrt position 1: not printable ASCII");
        CHECK(with_hrt("AB{n:4}", std::string(201, 'a')) == "hrt has more than 200 characters");
    }

    TEST_CASE("barcode data names what there is")
    {
        auto with_data = [](std::string data, std::string hrt = "") {
            auto declaration = declared("{a:N2}{n:4}");
            declaration.hrt = std::move(hrt);
            declaration.barcode = {"code128", std::move(data)};
            return outcome_of(declaration);
        };
        CHECK(with_data("({a}){number@2}{zip:N5-9}") == "compiles");
        CHECK(with_data("{number@0-6}") == "compiles");
        CHECK(with_data("{zip}", "{zip:N5} {number}") == "compiles");
        CHECK(with_data("{zip:N5}", "{zip} {number}") == "compiles");
        CHECK(
            with_data("{zip}") ==
            "barcode data position 1: there is no parameter 'zip'; declare it as in {zip:N4}"
        );
        CHECK(
            with_data("{zip:N5}", "{zip:N6} {number}") ==
            "barcode data position 1: parameter 'zip' was declared as 6 digits before"
        );
        CHECK(
            with_data("%{number@6}") ==
            "barcode data position 2: a number may have only 6 characters"
        );
        CHECK(
            with_data("%{number@0-7}") ==
            "barcode data position 2: a number may have only 6 characters"
        );
        auto const slice = " is no slice; write number@2 or number@0-14";
        for (auto const* const field :
             {"number@", "number@x", "number@2-", "number@2-2", "number@3-2", "number@99"})
            CHECK(
                with_data(std::string{"{"} + field + "}") ==
                std::string{"barcode data position 1: '"} + field + "'" + slice
            );
    }

    TEST_CASE("a mask lays out what it is given and no more")
    {
        CHECK(is_mask("## ##"));
        CHECK_FALSE(is_mask("#{number}"));
        CHECK_FALSE(is_mask(""));
        CHECK(lay_out("##.##-", "1234") == "12.34-");
        CHECK(lay_out("##.##", "123") == "12.3#");
        CHECK(lay_out("##", "1234") == "12");
    }
}
