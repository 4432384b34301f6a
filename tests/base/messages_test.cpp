#include "base/messages.hpp"

#include <doctest/doctest.h>

namespace messages_test {

using namespace gapless;

TEST_SUITE("base/messages")
{
    TEST_CASE("a sentence is told in German with what stands in its gaps, else it stays as it is")
    {
        struct
        {
            std::string_view english;
            std::string_view german;  // empty: none
        } const rows[]{
            {"there is no block 4", "Es gibt keinen Block 4."},
            {"number 12-3 has 5 characters, those of all earlier blocks have 6, as 99, as 123456",
             "Die Nummer 12-3 hat 5 Zeichen; in allen früheren Blöcken haben sie 6, wie 99, as "
             "123456."},
            {"block 1…9 has 2500001 numbers, the latest one of the series has 250001",
             "Der Block 1 bis 9 hat 2.500.001 Nummern, der letzte dieses Nummernkreises hat "
             "250.001."},
            {"number 7 is voided, it cannot become printed",
             "Die Nummer 7 ist entwertet; sie kann nicht gedruckt werden."},
            // A state that has no German: none of the sentence.
            {"number 7 is lost, it cannot become printed", ""},
            {"wrong length: expected 14 characters, found 13",
             "Die Länge stimmt nicht: 14 Zeichen erwartet, 13 gefunden."},
            {"wrong length: expected 10 to 12 characters, found 13",
             "Die Länge stimmt nicht: 10 bis 12 Zeichen erwartet, 13 gefunden."},
            {"there is no block 4, and no other", "Es gibt keinen Block 4, and no other."},
            {"block 4 is odd", ""},
            {"", ""},
            {"{}", ""},
        };
        for (auto const& row : rows)
        {
            CAPTURE(row.english);
            CHECK(to_german(row.english).value_or("") == row.german);
            auto const said = tell(row.english, language::german);
            CHECK(said.text == (row.german.empty() ? row.english : row.german));
            CHECK(said.is_foreign == (row.german.empty() && !row.english.empty()));
            CHECK(tell(row.english, language::english).text == row.english);
        }
    }
}

}  // namespace messages_test
