#include "invoices/invoice_file.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gapless::invoice_file_test {

/// Numbers of the series have seven digits; those of its block begin with 77.
number_fit judge(std::string_view field)
{
    if (field.size() != 7 || field.find_first_not_of("0123456789") != std::string_view::npos)
        return number_fit::none;
    return field.starts_with("77") ? number_fit::in_block : number_fit::looks;
}

/// "Barcode 2:7700001 3:7700002=12.50", the column and what is in it; or the fault.
std::string read(
    std::string_view bytes,
    std::optional<std::string> const& wanted = {},
    std::optional<std::string> const& amount = {}
)
{
    invoice_file file;
    if (auto const fault = open_invoice(bytes, {wanted, amount}, judge, file))
        return to_text(*fault, "f");
    auto text = file.columns.name;
    auto const take = [&](invoice_line const& line) {
        if (line.kind == invoice_row_kind::title)
            return;
        text += ' ' + std::to_string(line.line) + ':' + line.number;
        if (line.charged)
            text += '=' + to_text(*line.charged);
        text += line.unread.empty() ? "" : "=?";
    };
    if (auto const fault = read_invoice(file, take))
        return to_text(*fault, "f");
    return text;
}

bool says(std::string const& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

TEST_SUITE("invoices/invoice_file")
{
    TEST_CASE("the column is found by its name, wherever it stands")
    {
        CHECK(
            read("Rechnungsnr;Datum;Sendungsnummer\n7799999;1.11.2026;7700001\n") ==
            "Sendungsnummer 2:7700001"
        );
        for (auto const* name :
             {"Sendungsnummer",
              "SENDUNGSNUMMER",
              "Sendungs-Nr.",
              "Paketscheinnummer",
              "Paketnummer",
              "Barcode",
              "tracking number",
              "Tracking_Number",
              "TrackingNo",
              "parcel number",
              "number",
              "Nummer"})
        {
            CAPTURE(name);
            CHECK(
                read("Pos;" + std::string{name} + "\n7700009;7700001\n") ==
                std::string{name} + " 2:7700001"
            );
        }
    }

    TEST_CASE("the surer name wins, and one whose values do not fit loses")
    {
        CHECK(read("Nummer;Barcode\n7700001;7700002\n") == "Barcode 2:7700002");
        CHECK(read("Barcode;Nummer\nx;7700002\n") == "Nummer 2:7700002");
        CHECK(read("Nummer;Irgendwas\n1;7700002\n2;7700003\n") == "Irgendwas 2:7700002 3:7700003");
        // Nothing fits: then it is the name that counts, and findings say what is wrong.
        CHECK(read("Pos;Barcode\n1;x\n") == "Barcode 2:x");
    }

    TEST_CASE("the column is found by its values where no name is known")
    {
        CHECK(read("a;b;c\nx;7700001;5\ny;7700002;6\n") == "b 2:7700001 3:7700002");
        CHECK(read("x;7700001\ny;7700002\n") == "2 1:7700001 2:7700002");
        CHECK(read("1111111;7700001\n2222222;7700002\n") == "2 1:7700001 2:7700002");
        CHECK(read("7700001\n7700002\n") == "1 1:7700001 2:7700002");
        CHECK(read("a;b\n7700001;x\n5;x\n6;x\n").starts_with("f:1: no column has the numbers"));
    }

    TEST_CASE("without such a column the columns that are there are named")
    {
        auto const fault = read("Rechnungsnr;Datum;Preis\n1;2;3\n");
        CHECK(
            fault ==
            "f:1: no column has the numbers of the series, by its name or by its values; the "
            "columns here are 'Rechnungsnr', 'Datum', 'Preis'; name the right one, or its place "
            "from 1"
        );
        CHECK(read("") == "f: there is no number in this file");
        CHECK(read("number\n\n") == "f: there is no number in this file");
    }

    TEST_CASE("a row of thousands of columns is refused before each is judged")
    {
        CHECK(read("1" + std::string(1'000, ',') + "1\n") == "f:1: more than 1000 columns");
        CHECK(read("1" + std::string(1'000, ',') + "1") == "f:1: more than 1000 columns");
        CHECK(read("number" + std::string(9'999, ',') + "\n").ends_with("no number in this file"));
    }

    TEST_CASE("a row with more fields than the header is refused")
    {
        CHECK(
            read("number,amount\n7700001,3,50\n7700002,4,25\n") ==
            "f:2: 3 fields, but the header names 2"
        );
        CHECK(read("number\n7700001\n4,9E+18\n") == "f:3: 2 fields, but the header names 1");
        CHECK(
            read("number,amount\n7700001,3.50\nTotal,3,50\n") ==
            "f:3: 3 fields, but the header names 2"
        );
        CHECK(read("number,amount\n7700001,3.50,,\n") == "number 2:7700001=3.50");
        CHECK(read("number,amount\n7700001,\"3,50\"\n") == "number 2:7700001=3.50");
    }

    TEST_CASE("amounts cut in two at their comma are refused where no header counts the fields")
    {
        auto const refused =
            "f:1: '12' and '50' look like one amount, cut in two at its decimal comma; put amounts "
            "in quotes, or give the file a header with a name for each field";
        CHECK(read("7700001,12,50\n7700002,8,00\n", {}, "2") == refused);
        CHECK(read("7700001,12,50\n7700002,8,05,x\n", {}, "2") == refused);
        CHECK(read("7700001,12,50\n7700002,8,5\n", {}, "2") == "1 1:7700001=12.00 2:7700002=8.00");
        CHECK(
            read("7700001,12.5,50\n7700002,8,50\n", {}, "2") == "1 1:7700001=12.50 2:7700002=8.00"
        );
        CHECK(read("7700001;12;50\n7700002;8;50\n", {}, "2") == "1 1:7700001=12.00 2:7700002=8.00");
        CHECK(read("nr,amount,kg\n7700001,12,50\n", {}, "2") == "nr 2:7700001=12.00");
    }

    TEST_CASE("a sign that is none makes its amount unreadable, if the column has signs")
    {
        std::string bytes{"Barcode;Betrag;Soll/Haben\n"};
        for (std::size_t n = 0; n < sample_rows_max; ++n)
            bytes += "7700001;1,00;S\n";
        CHECK(read(bytes + "7700002;4,19;X\n7700003;4,19;h")
                  .ends_with(" 502:7700002=? 503:7700003=-4.19"));
        CHECK(read("Barcode;Betrag;Soll/Haben\n7700002;4,19;X\n") == "Barcode 2:7700002=4.19");
    }

    TEST_CASE("a column may be asked for by name or place")
    {
        CHECK(read("Nummer;b\n7700001;x\n", "b") == "b 2:x");
        CHECK(read("Nummer;Zwei Drei\n7700001;x\n", "zwei drei") == "Zwei Drei 2:x");
        CHECK(read("Nummer;b\n7700001;x\n", "2") == "b 2:x");
        // A cell is no heading, nor is what only resembles one; digits alone are a place.
        CHECK(says(read("2;b\n7700001;Paket\n", "Paket"), "there is no column 'Paket'"));
        CHECK(says(read("Nummer (alt);b\n7700001;x\n", "Nummer"), "there is no column 'Nummer'"));
        CHECK(read("1;x;7700001\n2;x;7700002\n", "3") == "3 1:7700001 2:7700002");
        CHECK(says(read("Nr;a;A\n7700001;x;y\n", "a"), "2 and 3 are both called 'a'"));
        CHECK(read("Nummer;b\n7700001;2,5\n", {}, "B") == "Nummer 2:7700001=2.50");
        CHECK(says(read("Nummer;b\n7700001;2,5\n", {}, "1"), "the column Nummer has the numbers"));
        CHECK(read("7700001;8\n7700002;9\n", "2") == "2 1:8 2:9");
        CHECK(says(read("Nummer;b\n7700001;x\n", "c"), "f:1: there is no column 'c'; the columns"));
        CHECK(says(read("Nummer;b\n7700001;x\n", "3"), "there is no column '3'"));
        CHECK(says(read("Nummer;b\n7700001;x\n", "0"), "there is no column '0'"));
    }

    TEST_CASE("lines above the heading are no lines of the invoice, and a product is no heading")
    {
        CHECK(
            read("Rechnung 4711;;\n;;\nPos;Barcode;Betrag\n1;7700001;2,50\n") ==
            "Barcode 4:7700001=2.50"
        );
        CHECK(read("Was;Wo\nPaket;7700001\nPaket;7700002\n") == "Wo 2:7700001 3:7700002");
    }

    TEST_CASE("amounts are those of the column that is called so")
    {
        CHECK(
            read("Barcode;Betrag\n7700001;12,50\n7700002;12.50\n") ==
            "Barcode 2:7700001=12.50 3:7700002=12.50"
        );
        CHECK(
            read("Barcode;Netto (EUR);Brutto\n7700001;1.234,56;9\n") == "Barcode 2:7700001=1234.56"
        );
        CHECK(
            read("Barcode,Price\n7700001,1.234\n7700002,5.10\n") ==
            "Barcode 2:7700001=1.234 3:7700002=5.10"
        );
        CHECK(
            read("Barcode;Preis\n7700001;1.234\n7700002;5,10\n") ==
            "Barcode 2:7700001=1234.00 3:7700002=5.10"
        );
        // An amount that can be read in two ways is read as people with this separator write.
        CHECK(read("Barcode;Preis\n7700001;4,125\n") == "Barcode 2:7700001=4.125");
        CHECK(read("Barcode,Price\n7700001,\"4,125\"\n") == "Barcode 2:7700001=4125.00");
        CHECK(read("Barcode;amount\n7700001;frei\n7700002;\n") == "Barcode 2:7700001=? 3:7700002");
    }

    TEST_CASE("empty rows are none, and a number may have blanks")
    {
        CHECK(
            read("Barcode;b\r\n77 00\xc2\xa0"
                 "001;\r\n;;\r\n;\r\n") == "Barcode 2:7700001"
        );
        CHECK(read("Barcode;b\n;Summe\n") == "Barcode 2:");
    }

    TEST_CASE("numbers that a spreadsheet rounded are refused")
    {
        CHECK(says(read("Barcode;b\n4,9E+18;x\n"), "f:2: column 1: '4,9E+18'"));
        std::string bytes{"Barcode\n"};
        for (int n = 0; n < 9; ++n)
            bytes += "490121421340525" + std::to_string(n % 2) + "000\n";
        CHECK(says(read(bytes), "Excel") == false);
        for (int n = 0; n < 10; ++n)
            bytes += "4901214213405250000\n";
        CHECK(says(read(bytes), "Excel") == false);  // some have more than fifteen digits
        bytes = "Barcode\n";
        for (int n = 0; n < 10; ++n)
            bytes += "4901214213405250000\n";
        CHECK(says(read(bytes), "f:2: column 1: '4901214213405250000': Excel may have"));
    }

    TEST_CASE("a fault in the middle is told with its line")
    {
        CHECK(read("Barcode\n7700001\n\"77\"1\n").starts_with("f:3: a quote stands in the wrong"));
        CHECK(read("Barcode;Was\n7700001;24\"\n").ends_with(" 2:7700001"));
    }
}

}  // namespace gapless::invoice_file_test
