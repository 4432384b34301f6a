#include "labels/symbol_data.hpp"

#include <doctest/doctest.h>

namespace symbol_data_test {

using namespace gapless;

std::string data_of(std::string_view kind, std::string_view data)
{
    auto const made = read_symbol_data({std::string{kind}, std::string{data}}, "N1");
    return made.has_value() ? made->data : "refused: " + made.error().reason;
}

std::string message_of(std::string_view bracketed)
{
    auto message = to_gs1_message(bracketed);
    for (auto& each : message)
        if (each == fnc1)
            each = '|';
    return message;
}

TEST_SUITE("labels/symbol_data")
{
    TEST_CASE("a format without a barcode has Code 128 of its number")
    {
        CHECK(read_symbol_data({}, "N1").value() == symbol_data{symbology::code128, "N1"});
    }

    TEST_CASE("an SSCC with its 00 gets brackets, other GS1 data has to have them")
    {
        CHECK(data_of("gs1-128", "00340434161094021507") == "(00)340434161094021507");
        CHECK(data_of("gs1-128", "(00)340434161094021507") == "(00)340434161094021507");
        CHECK(
            data_of("gs1-128", "0034043416109402150") ==
            "refused: the data of a gs1-128 needs its application identifiers in brackets, such as "
            "(00), before 0034043416109402150"
        );
    }

    TEST_CASE("ITF takes pairs of digits and gets a 0 in front of an odd number")
    {
        CHECK(data_of("itf", "12345678901") == "012345678901");
        CHECK(data_of("itf", "123456789012") == "123456789012");
        CHECK(data_of("code128", "123") == "123");
    }

    TEST_CASE("codabar has capitals")
    {
        CHECK(data_of("codabar", "a444413758703a") == "A444413758703A");
    }

    TEST_CASE("an unknown symbology is refused")
    {
        CHECK(data_of("qr", "1") == "refused: there is no symbology 'qr'");
    }

    TEST_CASE("FNC1 stands where a scanner could not tell where an element ends")
    {
        CHECK(message_of("(00)340434161094021507") == "|00340434161094021507");
        CHECK(message_of("(420)78745(94)001") == "|42078745|94001");
        CHECK(message_of("(01)04000123456780(10)A1") == "|010400012345678010A1");
        CHECK(message_of("(10)A1(01)04000123456780") == "|10A1|0104000123456780");
        CHECK(message_of("(91)12") == "|9112");
        CHECK(message_of("(") == "|");
        CHECK(message_of("(91") == "|9");
    }
}

}  // namespace symbol_data_test
