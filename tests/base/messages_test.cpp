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
            {"series 's' is paused: wrong rolls; go on with: gapless series resume s",
             "Der Nummernkreis 's' ist angehalten: wrong rolls."},
            {"series 's' is paused; go on with: gapless series resume s",
             "Der Nummernkreis 's' ist angehalten."},
            {"number 12-3 has 5 characters, those of all earlier blocks have 6, as 99, as 123456",
             "Die Nummer 12-3 ist 5 Zeichen lang; in allen früheren Blöcken sind es 6, zum "
             "Beispiel 99, as "
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
            // Sentences in a row; one without German: all stay English.
            {"wrong length: expected 14 characters, found 13; without its check digit: wrong "
             "length: expected 13 characters, found 12",
             "Die Länge stimmt nicht: 14 Zeichen erwartet, 13 gefunden. Ohne Prüfziffer gelesen: "
             "Die Länge stimmt nicht: 13 Zeichen erwartet, 12 gefunden."},
            {"wrong length: expected 14 characters, found 13; it is green", ""},
            {"'7' is not a number of any series: character 1 is 'N', expected a digit; no block "
             "holds it",
             "'7': Zeichen 1 ist 'N'; erwartet wird eine Ziffer. Sie steht in keinem Block."},
            {"it was voided; 2 lines: 3, 4; it is green", ""},
            {"it was voided; replaced by 9 (printed, in line 5); 2 lines: 3, 4",
             "Sie ist entwertet. Ersetzt durch 9 (gedruckt, in Zeile 5). 2 Zeilen: 3, 4."},
            {"the invoice:1: there is no column 'a; b'; the columns here are 'c'; name the right "
             "one, or its place from 1",
             "Zeile 1: Es gibt keine Spalte 'a; b'. Die Datei hat die Spalten 'c'. Nennen Sie die "
             "richtige mit Namen oder Nummer (ab 1)."},
            {"not read: column 4 'A; B' ('x', …); line 2 ('y; z'); '7'; and 1200 more",
             "Nicht gelesen: Spalte 4 'A; B' ('x', …); Zeile 2 ('y; z'); '7'; und 1.200 weitere"},
            {"there is no heading: columns 1 and 2 are read as first and count; the days in column "
             "3 are read as valid_until",
             "Es gibt keine Kopfzeile. Die Spalten 1 und 2 werden als „Von“ und „Anzahl“ gelesen. "
             "Die Tage in Spalte 3 werden als „Gültig bis“ gelesen."},
            {"column valid_until stands there twice", "Die Spalte „Gültig bis“ kommt zweimal vor."},
            {"there is no block below the header", "Unter der Kopfzeile steht kein Block."},
            {"proposal 1 is your own: role:a proposed it, and you count as the same person; reject "
             "it "
             "and load its blocks yourself, or let somebody else confirm it",
             "Vorschlag 1 ist Ihr eigener: Er kommt von role:a, und Sie gelten als dieselbe "
             "Person. "
             "Lehnen Sie ihn ab und laden Sie die Blöcke selbst, oder lassen Sie ihn von jemand "
             "anderem bestätigen."},
            {"there is no block 4, and no other", "Es gibt keinen Block 4, and no other."},
            {"block 4…9 overlaps block 1 of series 'a' (3…5), block 2 of series 'a' (7…9)",
             "Der Block 4 bis 9 überschneidet sich mit Block 1 des Nummernkreises 'a' (3 bis 5), "
             "Block 2 des Nummernkreises 'a' (7 bis 9)."},
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

    TEST_CASE("a text that can be divided in ever more ways stays English, at once")
    {
        for (std::string_view part : {"x; ", "'x; ", "'x': ", "it was voided; ", "first, last: "})
        {
            std::string text;
            for (int n = 0; n < 500; ++n)
                text += part;
            CHECK(tell(text, language::german).is_foreign);
        }
    }
}

}  // namespace messages_test
