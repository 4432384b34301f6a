#include "invoices/amount.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <random>

namespace gapless::amount_test {

std::string read(std::string_view text, decimal_mark mark = decimal_mark::comma)
{
    auto const found = read_amount(text, mark);
    return found ? to_text(*found) : "none";
}

std::string sum_of(std::initializer_list<std::string_view> texts)
{
    amount sum;
    for (auto const text : texts)
        add(sum, read_amount(text, decimal_mark::comma).value());
    return to_text(sum);
}

TEST_SUITE("invoices/amount")
{
    TEST_CASE("an amount is read as Germans and as others write it")
    {
        CHECK(read("12,50") == "12.50");
        CHECK(read("12.50") == "12.50");
        CHECK(read("1.234,56") == "1234.56");
        CHECK(read("1,234.56") == "1234.56");
        CHECK(read("1'234.5") == "1234.50");
        CHECK(read("1 234,5") == "1234.50");
        CHECK(
            read("1\xc2\xa0"
                 "234,5") == "1234.50"
        );
        CHECK(read("1.234.567") == "1234567.00");
        CHECK(read("7") == "7.00");
        CHECK(read("0,0345") == "0.0345");
        CHECK(read("12,5 €") == "12.50");
        CHECK(read("EUR 12,50") == "12.50");
        for (auto const* text :
             {"12,50 EUR", "$12.50",    "£ 12.50",    "R$ 12,50",   "kr 12,50",   "12,50 kr.",
              "12,50 zł",  "12,50 Kč",  "Fr. 12.50",  "SFr. 12.50", "US$12.50",   "12,50 S",
              "12,50 ARS", "12,50 IDR", "12.50 SCR",  "IDR 12,50",  "12,50 Euro", "Euro 12,50",
              "12,50 eur", "chf 12.50", "12,50 Soll", "12,50+",     "12.50 dr"})
        {
            CAPTURE(text);
            CHECK(read(text) == "12.50");
        }
    }

    TEST_CASE("a negative amount has its sign before or behind it")
    {
        CHECK(read("-3,00") == "-3.00");
        CHECK(read("3,00-") == "-3.00");
        CHECK(read("-0,50") == "-0.50");
        CHECK(read("-3,00 €") == "-3.00");
        for (auto const* text :
             {"−3,00",
              "(3.00)",
              "3.00 cr",
              "3.00CR",
              "-$3.00",
              "$-3.00",
              "($3.00)",
              "$(3.00)",
              "3,00-€",
              "3,00 kr-",
              "3,00 H",
              "3,00 EUR H",
              "3,00 EUR CR",
              "3,00 Kr cr",
              "3,00 IDR CR",
              "3,00 euro H",
              "3,00 Haben",
              "3,00 -",
              "–3,00"})
        {
            CAPTURE(text);
            CHECK(read(text) == "-3.00");
        }
        for (auto const* text : {"-3,00-", "(-3,00)", "-3.00 cr", "(3.00", "€3,00 EUR", "()", "cr"})
        {
            CAPTURE(text);
            CHECK(read(text) == "none");
        }
    }

    TEST_CASE("three digits behind one mark are what the column says")
    {
        CHECK(read("1.234", decimal_mark::comma) == "1234.00");
        CHECK(read("1.234", decimal_mark::point) == "1.234");
        CHECK(read("1,234", decimal_mark::comma) == "1.234");
        CHECK(read("1,234", decimal_mark::point) == "1234.00");
        CHECK(shown_mark("1.234") == std::nullopt);
        CHECK(shown_mark("7") == std::nullopt);
        CHECK(shown_mark("12,50") == decimal_mark::comma);
        CHECK(shown_mark("12.5") == decimal_mark::point);
        CHECK(shown_mark("1.234,56 €") == decimal_mark::comma);
    }

    TEST_CASE("a group begins with no zero and has at most three digits")
    {
        for (auto const mark : {decimal_mark::comma, decimal_mark::point})
        {
            CHECK(read("0.125", mark) == "0.125");
            CHECK(read("-0,125 €", mark) == "-0.125");
            CHECK(read("1234,567", mark) == "1234.567");
            CHECK(read("1'234.567", mark) == "1234.567");
            CHECK(read(",125", mark) == "0.125");
            CHECK(read(".5", mark) == "0.50");
            CHECK(read("-$.50", mark) == "-0.50");
            CHECK(read("0.125.000", mark) == "none");
            CHECK(read("0.125,50", mark) == "none");
        }
        CHECK(shown_mark("0.125") == decimal_mark::point);
        CHECK(shown_mark(".50") == decimal_mark::point);
        CHECK(shown_mark("1234,567") == decimal_mark::comma);
        CHECK(shown_mark("123,567") == std::nullopt);
    }

    TEST_CASE("a sign is read in words, too")
    {
        for (auto const* text :
             {"-",
              "−",
              "–",
              "H",
              "h",
              "c",
              "Cr.",
              "HABEN",
              "Crédit",
              "CRÉDIT",
              " kredit ",
              "Gutschrift",
              "avere"})
        {
            CAPTURE(text);
            CHECK(read_sign(text) == std::optional{true});
        }
        for (auto const* text :
             {"+", "S", "d", "DR", "Soll", "debit", "Débit", "debet", "Belastung", "dare"})
        {
            CAPTURE(text);
            CHECK(read_sign(text) == std::optional{false});
        }
        for (auto const* text : {"", "4.50", "x", "SH", "+-", "--", "- 1", "."})
        {
            CAPTURE(text);
            CHECK(read_sign(text) == std::nullopt);
        }
    }

    TEST_CASE("what is no amount is none")
    {
        for (auto const* text :
             {"",
              "x",
              "1,2,3",
              "1.23.456",
              "12,",
              "12,5x",
              "1.2345.678",
              "--1",
              "1e5",
              "€",
              ",",
              ".-",
              "123456789012",
              "0,1234567",
              "12..5",
              "1,234,56"})
        {
            CAPTURE(text);
            CHECK(read(text) == "none");
        }
    }

    TEST_CASE("sums are exact, also across zero")
    {
        CHECK(sum_of({"0,10", "0,20"}) == "0.30");
        CHECK(sum_of({"12,50", "-12,75"}) == "-0.25");
        CHECK(sum_of({"-0,25", "1,00"}) == "0.75");
        CHECK(sum_of({"0,005", "1"}) == "1.005");
        CHECK(sum_of({"-0,60", "-0,60"}) == "-1.20");
        CHECK(sum_of({}) == "0.00");
    }

    TEST_CASE("the sum of many is that of their cents")
    {
        std::mt19937_64 random{17};
        amount sum;
        std::int64_t cents = 0;
        for (int n = 0; n < 5'000; ++n)
        {
            auto const each = static_cast<std::int64_t>(random() % 2'000'001) - 1'000'000;
            cents += each;
            auto const text =
                std::string{each < 0 ? "-" : ""} + std::to_string(std::abs(each) / 100) + "," +
                std::to_string(std::abs(each) / 10 % 10) + std::to_string(std::abs(each) % 10);
            add(sum, read_amount(text, decimal_mark::comma).value());
            auto const whole = std::abs(cents) / 100;
            REQUIRE(
                to_text(sum) == std::string{cents < 0 ? "-" : ""} + std::to_string(whole) + "." +
                                    std::to_string(std::abs(cents) / 10 % 10) +
                                    std::to_string(std::abs(cents) % 10)
            );
        }
    }
}

}  // namespace gapless::amount_test
