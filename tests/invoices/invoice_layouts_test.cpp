#include "formats/catalogue.hpp"
#include "invoices/reconciliation.hpp"

#include <doctest/doctest.h>

namespace gapless::invoice_layouts_test {

/// A file of a carrier; @7 stands for the number 4901214213405250007.
struct layout
{
    std::string_view name;
    std::string text;
    std::string_view found;  // as compare() tells it
    wanted_columns wanted;
};

/// A row of UPS Billing Data: no headings, 250 columns.
std::string ups(std::string_view lead, std::string_view parcel, std::string_view rest)
{
    std::string row{"2.1,0000A1B2C3,0000A1B2C3,DE,2026-11-07,000000A1B2C3456,,,,EUR,40.00,,,"};
    row.append(lead).append(",,,,,1,,").append(parcel).append(24, ',').append(rest);
    return row.append(197, ',') + '\n';
}

std::string with_numbers(std::string_view text)
{
    std::string filled;
    for (auto const c : text)
        filled += c == '@' ? std::string{"490121421340525000"} : std::string{c};
    return filled;
}

/// "Column, amounts 7.50; 1 billed-twice"; the fault of what cannot be compared.
std::string compare(layout const& given, billed_ledger const& ledger)
{
    auto const bytes = with_numbers(given.text);
    invoice_file file;
    auto const judge = [&](std::string_view field) { return ledger.judge(field); };
    if (auto const fault = open_invoice(bytes, given.wanted, judge, file))
        return to_text(*fault, "f");
    reconciliation compared{
        ledger, {.take = [](auto const&) {}, .find_replacements = {}, .tick = [] {}}};
    auto const take = [&](invoice_line line) { compared.take_line(std::move(line)); };
    if (auto const fault = read_invoice(file, take))
        return to_text(*fault, "f");
    compared.finish();
    auto const& summary = compared.summary();
    auto text = file.columns.name + ", " + file.columns.amount_name + ' ' +
                (summary.sum ? to_text(*summary.sum) : "-");
    auto const add = [&](std::int64_t count, std::string_view what) {
        if (count != 0)
            text += "; " + std::to_string(count) + ' ' + std::string{what};
    };
    add(summary.lines, "lines");
    for (std::size_t n = 0; n < bill_faults; ++n)
        add(summary.findings[n], text_of(static_cast<bill_fault>(n + 1)));
    add(summary.several_rows, "several");
    add(summary.title_lines, "titles");
    add(summary.total_lines, "totals");
    add(std::ssize(summary.differing_totals), "differ");
    add(summary.amounts_unread, "unread");
    return text;
}

/// The same for the numbers 1…9, which were issued; block and invoice end there.
std::string compare(layout const& given)
{
    constexpr std::int64_t first = 4901214213405250000;
    auto const plain = bound_format::bind(*find_format(default_format_name), {}).value();
    return compare(given, {plain, {{{first, first + 99, 1, 9, 1, 1}}, {}, {{1, 9}}}});
}

TEST_SUITE("invoices/invoice_layouts")
{
    TEST_CASE("invoices are read as carriers send them")
    {
        for (auto const& each : std::initializer_list<layout>{
                 {"UPS Billing Data",
                  ups("@1", "@1", "FRT,Ground,,,,,,,7.50") +
                      ups("@1", "@1", "FSC,Fuel,,,,,,,0.90") +
                      ups("@1", "@2", "FRT,Ground,,,,,,,7.50") +
                      ups("@1", "@2", "INF,Zone,,,,,,,0.00"),
                  "21, 53 15.90; 4 lines; 2 several"},
                 {"UPS, a charge twice",
                  ups("@1", "@1", "FRT,Ground,,,,,,,7.50") +
                      ups("@1", "@2", "FRT,Ground,,,,,,,7.50") +
                      ups("@1", "@2", "FRT,Ground,,,,,,,7.10"),
                  "21, 53 22.10; 3 lines; 1 billed-twice; 1 several"},
                 {"UPS as a few columns",
                  "2.1,,,,,,,,,,,,,@1,,,,,,,@1,FRT,Freight\n"
                  "2.1,,,,,,,,,,,,,@1,,,,,,,@1,FSC,Fuel\n"
                  "2.1,,,,,,,,,,,,,@1,,,,,,,@2,FRT,Freight\n",
                  "21,  -; 3 lines; 1 several",
                  {"21", {}}},
                 {"FedEx",
                  "\"Bill to Account Number\",\"Express or Ground Tracking ID\",\"Net Charge "
                  "Amount\"\n"
                  "\"123\",\"@1\",\"12.48\"\n\"123\",\"@1\",\"-12.48\"\n\"123\",\"@2\",\"108.43 "
                  "cr\"\n"
                  "\"123\",\"@3\",\"(3.00)\"\n\"123\",\"@1\",\"12.48\"\n",
                  "Express or Ground Tracking ID, Net Charge Amount -98.95; 5 lines; 1 several"},
                 {"DHL Paket",
                  "Einzelnachweis zur Rechnung 4711, Kunde 50\xc3\xa0, Nov. 2026;;;\n;;;\n"
                  "EKP;Sendungsnummer (20-stellig, ohne Leerzeichen);Produkt;Betrag (EUR, netto)\n"
                  "50;=\"@1\";DHL Paket;4,10\n50;=\"@2\";DHL Paket;4,10\n50;=\"@2\";Maut;0,19\n"
                  ";;Zwischensumme;8,39\nSumme;;;8,39\nzzgl. 19% MwSt;;;1,59\nGesamt;;;9,98\n",
                  "Sendungsnummer (20-stellig, ohne Leerzeichen), Betrag (EUR, netto) 8.39; 3 "
                  "lines; "
                  "1 several; 1 titles; 4 totals"},
                 {"a tax in the column of the numbers",
                  "Sendungsnummer;Text;Betrag\n@1;Paket;4,50\n@2;Paket;5,50\nNetto;;10,00\n"
                  "19 % USt;;1,90\n;5,5 % Steuer;0,10\nGesamtbetrag;;12,00\n",
                  "Sendungsnummer, Betrag 10.00; 2 lines; 4 totals"},
                 {"DHL Express",
                  "Line Type,Invoice Number,Shipment Number,Total amount (excl. VAT)\n"
                  "I,BER1,,25.00\nS,BER1,@1,10.00\nS,BER1,@2,15.00\n",
                  "Shipment Number, Total amount (excl. VAT) 50.00; 3 lines; 1 not-of-series"},
                 {"DPD",
                  "Invoice number;Parcel number;Service;Base price;Energy surcharge;Total amount\n"
                  "26840305;@1;Express;8.62;0.35;9.80\n26840305;@2;\"RF_1;\";7.75;0.63;10.02\n",
                  "Parcel number, Total amount 19.82; 2 lines"},
                 {"GLS",
                  "Pos|Paketnummer|Preis\n1|@1|3,50\n2|@1|3,50\n3|@2|\xe2\x88\x92"
                  "3,50\n",
                  "Paketnummer, Preis 3.50; 3 lines; 1 billed-twice; 1 several"},
                 {"Hermes",
                  "Sendungs-ID;Empf\xe4nger;Entgelt in \x80\n@1;M\xfcller, Monitor 24\";4,20 "
                  "\x80\n",
                  "Sendungs-ID, Entgelt in € 4.20; 1 lines"},
                 {"Royal Mail",
                  "Unique Item ID,Product,Net Amount (£)\n@1,\"Tracked 24, large\",£3.15\n"
                  "Total,,£4.15\n",
                  "Unique Item ID, Net Amount (£) 3.15; 1 lines; 1 totals; 1 differ"},
                 {"PostNL",
                  "Klantnummer;Track & Trace-code;Omschrijving;Bedrag excl. BTW\n"
                  "1;@1;Pakket;5,15\n1;@1;Brandstoftoeslag;5,15\n;;Totaal;10,30\n",
                  "Track & Trace-code, Bedrag excl. BTW 10.30; 2 lines; 1 several; 1 totals"},
                 {"Colissimo",
                  "N° de colis;Poids (kg);Montant HT (€)\n@1;1,200;6,95\n@2;0,250;5,05\n;;12,00\n",
                  "N° de colis, Montant HT (€) 12.00; 2 lines; 1 totals"},
                 {"BRT",
                  "Lettera di vettura;Città;Importo netto\n@1;Milano;7,10\nTotale;;7,10\n",
                  "Lettera di vettura, Importo netto 7.10; 1 lines; 1 totals"},
                 {"Correos",
                  "Código de envío;Peso;Importe\n@1;2;$4,10\n",
                  "Código de envío, Importe 4.10; 1 lines"},
                 {"InPost",
                  "NUMER PRZESYŁKI;Usługa;Kwota netto [zł]\n@1;Paczkomat;12,99 zł\nRazem;;12,99 "
                  "zł\n",
                  "NUMER PRZESYŁKI, Kwota netto [zł] 12.99; 1 lines; 1 totals"},
                 {"Zásilkovna",
                  "Číslo zásilky;Cena bez DPH;Cena s DPH\n@1;79,00 Kč;95,59 Kč\n",
                  "Číslo zásilky, Cena bez DPH 79.00; 1 lines"},
                 {"Swiss Post",
                  "Sendungsnummer\tPreis\n@1\tFr. 1'007.50\n@2\tgratis\n",
                  "Sendungsnummer, Preis 1007.50; 2 lines; 1 unread"},
                 {"Soll and Haben",
                  "Sendungsnummer;Betrag;S/H\n@1;4,19;S\n@2;4,19;S\n@1;4,19;H\n",
                  "Sendungsnummer, Betrag 4.19; 3 lines; 1 several"},
                 {"Soll and Haben as columns",
                  "Sendungsnummer;Soll;Haben\n@1;4,19;\n@2;4,19;\n@1;;4,19\n",
                  "Sendungsnummer, Soll 4.19; 3 lines; 1 several"},
                 {"Soll and Haben as columns, the empty one has a zero",
                  "Sendungsnummer;Soll;Haben\n@1;4,19;0,00\n@2;4,19;-\n@1;0,00;4,19\n@2;-;4,19\n"
                  "@3;5,00;1,00\nSumme;13,38;9,38\n",
                  "Sendungsnummer, Soll 4.00; 5 lines; 2 several; 1 totals"},
                 {"a credit column of words",
                  "Sendungsnummer;Betrag;Credit\n@1;4,19;nein\n@2;4,19;ja 1\n",
                  "Sendungsnummer, Betrag 8.38; 2 lines"},
                 {"shipping and handling is no sign",
                  "Tracking number,Amount,S/H\n@1,12,4.50\n@2,12,4.50\n",
                  "Tracking number, Amount 24.00; 2 lines"},
                 {"signs in words",
                  "Sendungsnummer;Betrag;S/H;Sens\n@1;4,19;Versand;Débit\n@2;4,19;x;s\n"
                  "Seite 2;;y;Seite\n@1;4,19;z;Credit\n@2;-4,19;z;h\n@3;2,00;;\n",
                  "Sendungsnummer, Betrag 2.00; 5 lines; 2 several; 1 titles"},
                 {"thousandths",
                  "Sendungsnummer;Betrag\n@1;0.125\n@2;1.000\n",
                  "Sendungsnummer, Betrag 1.125; 2 lines"},
                 {"numbered headings",
                  "1. Sendungsnummer;2. Betrag;3) Produkt\n@1;4,19;1. Klasse\n",
                  "1. Sendungsnummer, 2. Betrag 4.19; 1 lines"},
                 {"gross totals of sections",
                  "Paketnummer;Betrag\n@1;10,00\nNetto;10,00\nUSt;1,90\nBrutto;11,90\n"
                  "@2;20,00\nUSt;3,80\nNetto;20,00\nBrutto;23,80\n"
                  "Gesamt netto;30,00\nGesamt;35,70\n",
                  "Paketnummer, Betrag 30.00; 2 lines; 8 totals"},
                 {"gross totals of sections alone",
                  "Paketnummer;Betrag\n@1;10,00\nUSt;1,90\nSumme;11,90\n"
                  "@2;20,00\nUSt;3,80\nSumme;23,80\nSumme;0,00\nSumme;20,10\n",
                  "Paketnummer, Betrag 30.00; 2 lines; 6 totals; 1 differ"},
                 {"customers who are called like totals",
                  "Paketnummer;Kunde;Betrag\n@1;Netto Marken-Discount;4,50\n"
                  ";Netto Marken-Discount;3,00\n;Report Verlag;2,00\n"
                  ";Total charges;9,50\n;Summe DHL Paket;9,50\n;Total EUR (net);9,50\n",
                  "Paketnummer, Betrag 9.50; 3 lines; 2 not-of-series; 3 totals"},
                 {"Markdown",
                  "| Sendungsnummer | Betrag |\n|---|---:|\n| @1 | 4,19- |\n| **Summe** | "
                  "**-4,19** |\n",
                  "Sendungsnummer, Betrag -4.19; 1 lines; 1 totals"},
                 {"PostNord",
                  "Kollinr;Tj\xc3\xa4nst;Belopp exkl. moms\n@1;MyPack;52,00\n;Summa;52,00\n"
                  ";Moms 25 %;13,00\n;Att betala;65,00\n",
                  "Kollinr, Belopp exkl. moms 52.00; 1 lines; 3 totals"},
                 {"La Poste",
                  "N° de suivi;Montant H.T.\n@1;6,95\nTotal H.T.;6,95\nT.V.A. 20 %;1,39\n"
                  "Total T.T.C.;8,34\n",
                  "N° de suivi, Montant H.T. 6.95; 1 lines; 3 totals"},
                 {"PDF text",
                  "DPD GmbH         Rechnung 4711  Seite 1\n\nPaketnummer            Betrag EUR\n"
                  "@1    4,10\n\x0c"
                  "DPD GmbH         Rechnung 4711  Seite 2\n@2    4,10\nSumme netto       8,20\n",
                  "Paketnummer, Betrag EUR 8.20; 2 lines; 2 titles; 1 totals"},
                 {"words between and below",
                  "Sendungsnr.;Art;Betrag CHF exkl. MWST\n@1;Paket;1\xe2\x80\x99"
                  "004,19\n;;\xc3\x9c"
                  "bertrag: 1004,19\nSeite 2;;\n@2;Paket;4,19\n;;\nZahlbar bis 15.12.2026 auf "
                  "DE02120300000000202051;;\n",
                  "Sendungsnr., Betrag CHF exkl. MWST 1008.38; 2 lines; 2 titles; 1 totals"},
                 {"sums of several columns",
                  "Paketnr|Grundpreis|Zuschlag|Gesamtpreis\n@1|3,50|0,15|3,65\n|3,50|0,15|3,65\n",
                  "Paketnr, Gesamtpreis 3.65; 1 lines; 1 totals"},
                 {"separators in brackets",
                  "Tracking number (20 digits, no blanks),Amount (EUR, net)\n@1,3.50\n@2,3.50\n",
                  "Tracking number (20 digits, no blanks), Amount (EUR, net) 7.00; 2 lines"},
                 {"shipments of several parcels",
                  "Sendungsnummer;Packstücknummer;Betrag\n@1;@1;3,50\n@1;@2;3,50\n@3;@3;3,50\n",
                  "Packstücknummer, Betrag 10.50; 3 lines"},
                 {"several parcels, other headings",
                  "Sendungsnummer;Colli;Betrag\n@1;@1;3,50\n@1;@2;3,50\n@3;@3;3,50\n",
                  "Colli, Betrag 10.50; 3 lines"},
                 {"a number in two spellings",
                  "Pos;Barcode\n1;@1\n2;4901 2142 1340 5250 001\n",
                  "Barcode,  -; 2 lines; 1 billed-twice; 1 several"},
                 {"a charge on two days, with the day in its text",
                  "Sendungsnummer;Betrag;Text\n@1;5,00;Paket vom 02.11.\n@1;5,00;Paket vom 09.11.\n"
                  "@2;5,00;Paket vom 09.11.\n@2;5,00;Maut vom 09.11.\n",
                  "Sendungsnummer, Betrag 20.00; 4 lines; 1 billed-twice; 2 several"},
                 {"a charge on two days, without amounts",
                  "Sendungsnummer;Datum;Was\n@1;01.11.2026;Paket\n@1;2026-11-02;Paket\n"
                  "@2;01.11.2026;Paket\n@2;01.11.2026;Maut\n",
                  "Sendungsnummer,  -; 4 lines; 1 billed-twice; 2 several"},
                 {"a column chosen",
                  "Sendungsnummer;Gewicht;Abrechnung\n@1;1;3,50\n",
                  "Sendungsnummer, Abrechnung 3.50; 1 lines",
                  {{}, "abrechnung"}},
                 {"UTF-16",
                  std::string{
                      "\xff\xfeN\0r\0\n\0"
                      "7\0\n\0",
                      12},
                  "Nr,  -; 1 lines; 1 outside-blocks"}})
        {
            CAPTURE(each.name);
            CHECK(compare(each) == each.found);
        }
    }

    TEST_CASE("a number of the series is a charge, whatever it looks like")
    {
        auto const ledger_of = [](bound_format const& format, std::string_view number) {
            auto const first = format.read_number(number).value().serial;
            return billed_ledger{format, {{{first, first + 99, 0, 99, 1, 1}}, {}, {{1, 99}}}};
        };
        auto const gls = bound_format::bind(*find_format("gls-8"), {}).value();
        auto const track_ids = ledger_of(gls, "ZDAAAAAA");
        auto const like_tax = ledger_of(gls, "V1A2T00A");
        auto const vat =
            bound_format::bind(
                number_format::compile({.name = "vat", .number = "VAT{n:8}"}).value(), {}
            )
                .value();
        struct
        {
            std::string text;
            billed_ledger const& ledger;
            std::string_view found;
        } const rows[]{
            {"Paketnummer;Betrag\nZDAA AAB0;\nZDAAAAAB;4,50\n",
             track_ids,
             "Paketnummer, Betrag 4.50; 2 lines"},
            {"ZDAAAAAA\nZDAAAAAB\nZDAAAAB0\n", track_ids, "1,  -; 3 lines"},
            {"ZDAAAAAA;x\nZDAAAAAB;x\nZDAA AAB0;x\n", track_ids, "1,  -; 3 lines"},
            {"Paketnummer;Betrag\nZDAAAAAA;\n", track_ids, "Paketnummer, Betrag -; 1 lines"},
            {"Kunde;Paketnummer;Betrag\nNetto Marken-Discount;ZDAAAAAA;4,50\n",
             track_ids,
             "Paketnummer, Betrag 4.50; 1 lines"},
            {"Paketnummer;Betrag\nV1A2T00A;4,50\n", like_tax, "Paketnummer, Betrag 4.50; 1 lines"},
            {"Paketnummer;Betrag\nVAT12345678;4,50\nVAT 19 %;0,86\n",
             ledger_of(vat, "VAT12345678"),
             "Paketnummer, Betrag 4.50; 1 lines; 1 totals"}};
        for (auto const& each : rows)
        {
            CAPTURE(each.text);
            CHECK(compare({"", each.text, "", {}}, each.ledger) == each.found);
        }
    }

    TEST_CASE("between two columns that may have the numbers nothing is guessed")
    {
        for (auto const& each : std::initializer_list<layout>{
                 {"shipment and parcel, each with its own number",
                  "Sendungsnummer;Paketnummer\n@1;@2\n@3;@4\n",
                  "'Sendungsnummer' (place 1: 4901214213405250001 …) and 'Paketnummer' (place 2: "},
                 {"one row", "Sendungsnummer;Paketnummer\n@1;@2\n", "'Paketnummer' (place 2: "},
                 {"no heading",
                  "@1;x;@2\n@3;y;@4\n",
                  "'1' (place 1: 4901214213405250001 …) and '3' ("},
                 {"more numbers, but not those of the column that is called so",
                  "Sendungsnummer;Retoure\n@1;@2\n@1;@3\n",
                  "two columns may have the numbers: 'Retoure'"}})
        {
            CAPTURE(each.name);
            auto const told = compare(each);
            CAPTURE(told);
            CHECK(told.find(each.found) != std::string::npos);
            CHECK(told.find("--column") != std::string::npos);
            CHECK(compare({"", each.text, "", {"1", {}}}).find("may have") == std::string::npos);
        }
    }
}

}  // namespace gapless::invoice_layouts_test
