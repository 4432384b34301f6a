#include "formats/catalogue.hpp"
#include "harness/json_value.hpp"
#include "invoices/invoice_text.hpp"
#include "invoices/reconciliation.hpp"

#include <doctest/doctest.h>

#include <map>

namespace gapless::test::reconciliation_test {

using enum bill_fault;

bound_format plain()
{
    return bound_format::bind(*find_format(default_format_name), {}).value();
}

/// Blocks 100…199 (all issued, ordinals 1…100), 500…599 (ten issued), and 900…999, of which fifty
/// were issued elsewhere and ten here (ordinals 111…120).
billed_series usual()
{
    return {
        {{100, 199, 0, 100, 1, 1}, {500, 599, 0, 10, 101, 1}, {900, 999, 50, 10, 111, 1}},
        {},
        {{1, 120}}};
}

/// An invoice that is compared, and what was found.
struct bench
{
    explicit bench(billed_series said = usual(), bound_format of = plain())
        : format{std::move(of)},
          ledger{format, std::move(said)}
    {
    }

    /// "never-issued 510 3; …", the findings of these numbers, one a line from 1 on.
    std::string compare(std::vector<std::string> const& numbers)
    {
        std::vector<invoice_line> lines;
        for (auto const& number : numbers)
            lines.push_back({lines.size() + 1, number, {}});
        return compare_lines(lines);
    }

    std::string compare_lines(std::vector<invoice_line> const& lines)
    {
        std::string text;
        reconciliation found{
            ledger,
            {.take =
                 [&](bill_finding const& each) {
                     text += (text.empty() ? "" : "; ") + std::string{text_of(each.fault)} + ' ' +
                             each.number + ' ' + std::to_string(each.line);
                     details[each.number] = each.detail;
                     all.push_back(each);
                 },
             .find_replacements = [&](auto) { return replaced; },
             .tick = [&] { ++ticks; }}};
        for (auto const& line : lines)
            found.take_line(line);
        found.finish();
        summary = found.summary();
        return text;
    }

    bound_format format;
    billed_ledger ledger;
    std::vector<replaced_number> replaced;
    std::map<std::string, std::string> details;
    std::vector<bill_finding> all;
    bill_summary summary;
    int ticks{};
};

billed_series with_states(std::vector<state_range> states)
{
    auto said = usual();
    said.states = std::move(states);
    return said;
}

TEST_SUITE("invoices/reconciliation")
{
    TEST_CASE("an invoice that agrees has no findings")
    {
        bench agreed{with_states({{"printed", 1, 1}})};
        CHECK(agreed.compare({"100", "509", " 150 "}).empty());
        CHECK(agreed.summary.lines == 3);
        CHECK(agreed.summary.all() == 0);
    }

    TEST_CASE("billed numbers that were never issued are told apart")
    {
        bench here{with_states({{"free", 2, 2}})};
        CHECK(
            here.compare({"x7", "99", "510", "101"}) ==
            "not-of-series x7 1; outside-blocks 99 2; never-issued 510 3; never-issued 101 4"
        );
        CHECK(here.details["101"] == "it is free");
    }

    TEST_CASE("voided, doubled and forgotten numbers are found")
    {
        bench here{with_states({{"voided", 1, 1}, {"printed", 2, 3}, {"manifested", 101, 101}})};
        CHECK(
            here.compare({"100", "101", "101"}) ==
            "billed-voided 100 1; billed-twice 101 3; never-billed 102 0; never-billed 500 0"
        );
        CHECK(here.details["101"] == "also in line 2");
        CHECK(here.details["500"] == "it is manifested");
    }

    TEST_CASE("a number that another system issued is no finding, unless it is billed twice")
    {
        bench here;
        CHECK(here.compare({"900", "949", "950", "960"}) == "never-issued 960 4");
        CHECK(here.summary.elsewhere == 2);
        CHECK(here.compare({"900", "900"}) == "billed-twice 900 2");
    }

    TEST_CASE("only numbers issued in the time asked for have to be on the invoice")
    {
        auto said = with_states({{"printed", 1, 5}, {"printed", 8, 9}, {"printed", 101, 103}});
        said.issued = {{3, 8}, {102, 102}};
        bench here{said};
        CHECK(
            here.compare({"103"}) == "never-billed 102 0; never-billed 104 0; never-billed 107 0; "
                                     "never-billed 501 0"
        );
        CHECK(here.summary.outside_period == 0);
        here.compare({"100", "103", "509"});
        CHECK(here.summary.outside_period == 2);
        said.issued = {};
        CHECK(bench{said}.compare({"103"}).empty());
    }

    TEST_CASE("a number that was loaded again is the one that was issued in the time asked for")
    {
        auto said = with_states({{"printed", 1, 3}, {"voided", 4, 4}, {"printed", 5, 6}});
        said.blocks = {{100, 102, 0, 3, 1, 1}, {100, 102, 0, 3, 4, 2}, {100, 109, 3, 0, 0, 3}};
        std::vector<std::string> const all{"100", "101", "102"};
        for (auto const period : {ordinal_range{1, 3}, ordinal_range{1, 2}, ordinal_range{4, 6}})
        {
            CAPTURE(period.first);
            said.issued = {period};
            bench here{said};
            CHECK(here.compare(all) == (period.first == 4 ? "billed-voided 100 1" : ""));
            CHECK(here.summary.outside_period == 0);
            CHECK(here.summary.elsewhere == 3 - (period.last - period.first + 1));
        }
        said.blocks.pop_back();
        said.issued = {{7, 9}};
        bench later{said};
        CHECK(later.compare(all) == "billed-voided 100 1");
        CHECK(later.summary.outside_period == 3);
        CHECK(later.compare({"103"}) == "outside-blocks 103 1");
    }

    TEST_CASE("a line of a number in two cycles is of the one that was shipped")
    {
        auto said = with_states(
            {{"printed", 1, 6},
             {"free", 7, 10},
             {"voided", 11, 11},
             {"printed", 12, 12},
             {"held", 14, 15}}
        );
        said.blocks = {{100, 109, 0, 10, 1, 1}, {100, 109, 0, 5, 11, 2}};
        said.issued = {{1, 15}};
        bench here{said};
        CHECK(here.compare({"100", "101", "102", "103", "104", "105"}) == "never-billed 101 0");
        CHECK(
            here.compare({"106", "100", "101", "102", "103", "104", "105", "101"}) ==
            "never-issued 106 1"
        );
        said.states = {{"voided", 1, 1}, {"held", 11, 11}};
        CHECK(bench{said}.compare({"100"}) == "never-issued 100 1");
    }

    TEST_CASE("a number is billed twice if it has more charges than uses in the time asked for")
    {
        auto said = with_states({{"printed", 1, 1}, {"printed", 3, 3}});
        said.blocks = {{100, 100, 0, 1, 1, 1}, {100, 100, 0, 1, 2, 2}, {100, 100, 0, 1, 3, 3}};
        said.issued = {{1, 3}};
        bench here{said};
        auto const compare = [&](std::vector<std::pair<std::int64_t, std::uint64_t>> const& rows) {
            std::vector<invoice_line> lines;
            for (auto const& [euros, charge] : rows)
                lines.push_back({lines.size() + 1, "100", amount{euros, 0, 2}, "", charge});
            return here.compare_lines(lines);
        };
        CHECK(compare({{4, 1}}) == "never-billed 100 0");
        CHECK(compare({{4, 1}, {2, 2}}) == "never-billed 100 0");
        CHECK(compare({{4, 1}, {4, 1}, {-4, 1}}) == "never-billed 100 0");
        CHECK(compare({{4, 1}, {4, 1}, {2, 2}}).empty());
        CHECK(compare({{4, 1}, {4, 1}, {4, 1}}).empty());
        CHECK(compare({{4, 1}, {4, 1}, {4, 1}, {4, 1}}) == "billed-twice 100 4");
        CHECK(here.details["100"] == "also in line 3");
        said.issued = {{3, 3}};
        CHECK(bench{said}.compare({"100", "100"}) == "billed-twice 100 2");
    }

    TEST_CASE("an old number and what replaced it are shown together")
    {
        bench here{with_states({{"voided", 1, 2}, {"printed", 3, 4}, {"printed", 50, 50}})};
        here.replaced = {{1, 4}, {2, 3}};
        CHECK(
            here.compare({"101", "100", "102"}) ==
            "billed-voided 101 1; billed-voided 100 2; never-billed 103 0; never-billed 149 0"
        );
        CHECK(here.details["101"] == "it was voided; replaced by 102 (printed, in line 3)");
        CHECK(here.details["100"] == "it was voided; replaced by 103 (printed, in no line)");
        CHECK(here.details["103"] == "it is printed; it replaces 100 of line 2");
        CHECK(here.details["149"] == "it is printed");
    }

    TEST_CASE("a replacement of two voided numbers is missing once")
    {
        bench here{with_states({{"voided", 1, 2}, {"printed", 3, 3}})};
        here.replaced = {{1, 3}, {2, 3}};
        CHECK(
            here.compare({"100", "101"}) ==
            "billed-voided 100 1; never-billed 102 0; billed-voided 101 2"
        );
    }

    TEST_CASE("amounts are summed for each kind of finding")
    {
        bench here{with_states({{"voided", 1, 1}})};
        auto const money = [](std::int64_t whole, std::int64_t millionths) {
            return amount{whole, millionths, 2};
        };
        here.compare_lines(
            {{1, "100", money(12, 500'000)},
             {2, "101", money(4, 0)},
             {3, "101", money(4, 100'000)},
             {4, "101", money(0, 950'000)},
             {5, "x", {}, "frei"}}
        );
        auto const of = [&](bill_fault fault) {
            auto const& sum = here.summary.charged[static_cast<std::size_t>(fault) - 1];
            return sum ? to_text(*sum) : "none";
        };
        CHECK(of(billed_voided) == "12.50");
        CHECK(of(billed_twice) == "5.05");
        CHECK(of(not_of_series) == "none");
        CHECK(here.summary.amounts_unread == 1);
        CHECK(here.summary.unread_line == 5);
        CHECK(here.summary.unread_value == "frei");
    }

    TEST_CASE("rows of a number are one finding with their sum, and doubles are of one charge")
    {
        bench here{with_states({{"voided", 1, 1}, {"free", 3, 3}})};
        auto const euros = [](std::int64_t whole) { return amount{whole, 0, 2}; };
        CHECK(
            here.compare_lines(
                {{1, "99", euros(4), "", 1},
                 {2, "100", euros(4), "", 1},
                 {3, "101", euros(4), "", 1},
                 {4, "101", euros(2), "", 2},  // another charge
                 {5, "101", euros(3), "", 1},  // the same
                 {6, "101", euros(0), "", 1},  // nothing
                 {7, "103", euros(4), "", 1},
                 {8, "103", euros(4), "", 1},
                 {9, "103", euros(-4), "", 1},  // takes one of them back
                 {10, "99", euros(-1), "", 2},
                 {11, "100", euros(4), "", 1},
                 {12, "102", euros(1), "", 1},
                 {13, "102", euros(1), "", 1}}
            ) == "outside-blocks 99 1; never-issued 102 12; billed-voided 100 2; billed-twice 101 5"
        );
        CHECK(here.details["99"] == "in no loaded block of this series; 2 lines: 1, 10");
        CHECK(here.details["101"] == "also in line 3");
        CHECK(to_text(*here.all[0].charged) == "3.00");
        CHECK(to_text(*here.all[2].charged) == "8.00");
        CHECK(here.summary.several_rows == 5);
    }

    TEST_CASE("each credit takes back the first charge of its amount")
    {
        bench here;
        auto const euros = [](std::int64_t whole) { return amount{whole, 0, 2}; };
        CHECK(
            here.compare_lines(
                {{1, "101", euros(1), "", 1},
                 {2, "101", euros(2), "", 1},
                 {3, "101", {}, "frei", 1},
                 {4, "101", euros(1), "", 1},
                 {5, "101", euros(-1), "", 1},
                 {6, "101", euros(-3), "", 1},
                 {7, "101", amount{2, 0, 3}, "", 1},
                 {8, "101", euros(-2), "", 1}}
            ) == "billed-twice 101 4; billed-twice 101 7"
        );
        CHECK(here.details["101"] == "also in line 4");
    }

    TEST_CASE("a credit of another text takes back a charge that has no credit of its own")
    {
        bench here;
        auto const euros = [](std::int64_t whole) { return amount{whole, 0, 2}; };
        CHECK(
            here.compare_lines(
                {{1, "101", euros(5), "", 1},
                 {2, "101", euros(5), "", 1},
                 {3, "101", euros(-5), "", 2},
                 {4, "102", euros(5), "", 1},
                 {5, "102", euros(5), "", 1},
                 {6, "102", euros(-4), "", 2},
                 {7, "102", euros(9), "", 3},
                 {8, "102", euros(-5), "", 3}}
            ) == "billed-twice 102 5"
        );
    }

    TEST_CASE("totals are compared with the lines above them, and no findings")
    {
        bench here;
        auto const line = [](std::size_t n, std::int64_t whole, invoice_row_kind kind) {
            return invoice_line{n, "", amount{whole, 0, 2}, "", 0, kind};
        };
        using enum invoice_row_kind;
        CHECK(
            here.compare_lines(
                {line(1, 0, title),
                 {2, "101", amount{4, 0, 2}},
                 line(3, 4, total),
                 {4, "102", amount{5, 0, 2}, ""},
                 line(5, 5, total),  // since the last one
                 line(6, 9, total),  // of all
                 line(7, 2, tax),
                 line(8, 11, total),  // with the tax
                 line(9, 12, total),
                 line(10, 9, bare),  // a total that has no name
                 line(11, 8, bare)}
            ) == "not-of-series  11"
        );
        CHECK(here.summary.lines == 3);
        CHECK(here.summary.title_lines == 1);
        CHECK(here.summary.total_lines == 7);
        REQUIRE(here.summary.differing_totals.size() == 1);
        CHECK(here.summary.differing_totals[0].line == 9);
        CHECK(to_text(here.summary.differing_totals[0].sum) == "9.00");
    }

    TEST_CASE("a finding whose number looks rounded says so")
    {
        auto said = usual();
        said.blocks = {{4901214213405250000, 4901214213405269999, 0, 100, 1, 1}};
        bench here{said};
        here.compare({"4901214213405250000", "4901214213405250001", "4901214213405250000"});
        CHECK(here.details["4901214213405250000"].starts_with("also in line 1; Excel may have"));
        here.compare({"4901214213405260000", "4901214213405260001"});
        CHECK(here.details["4901214213405260000"].find("; Excel may have") != std::string::npos);
        CHECK(here.details["4901214213405260001"] == "it was never issued");
    }

    TEST_CASE("a number that a spreadsheet rounded is said so where the format tells")
    {
        auto const sscc = bound_format::bind(
                              *find_format("gs1-sscc"), {{"ext", "3"}, {"gcp", "4012345"}}
        ).value();
        billed_ledger const ledger{sscc, {{{1, 1'000, 0, 10, 1, 1}}, {}, {{1, 10}}}};
        std::string detail;
        reconciliation found{
            ledger,
            {.take = [&](auto const& each) { detail = each.detail; },
             .find_replacements = {},
             .tick = [] {}}};
        found.take_line({1, "340123450000010000", {}});
        CHECK(detail.find("Excel may have rounded it") != std::string::npos);
        found.take_line({1, "340123450000000018", {}});
        CHECK(detail.find("Excel may have rounded it") == std::string::npos);
    }

    TEST_CASE("numbers without check digit or zeros in front are found, and counted")
    {
        bench fedex{
            {{{7'947'913'419, 7'947'913'500, 0, 82, 1, 1}}, {}, {{1, 82}}},
            bound_format::bind(*find_format("fedex-express-12"), {}).value()};
        CHECK(
            fedex.compare({"7947913420", "79479134190", "079479134190", "94791341943"}) ==
            "not-of-series 7947913420 1; outside-blocks 947913419430 4; billed-twice 079479134190 3"
        );
        CHECK(fedex.summary.completed == 2);
    }

    TEST_CASE("long work is interrupted by ticks")
    {
        auto said = usual();
        said.blocks = {{0, 99'999, 0, 100'000, 1, 1}};
        said.states = {{"printed", 1, 100'000}};
        said.issued = {{1, 100'000}};
        bench here{said};
        here.compare({"5"});
        CHECK(here.ticks >= 90);  // the database ends a session that looks idle for 5 s
        CHECK(here.all.size() == 99'999);
    }

    TEST_CASE("charges and credits of one number are told apart one step a line")
    {
        bench here;
        std::vector<invoice_line> lines;
        for (std::size_t n = 1; n <= 20'480; ++n)
            lines.push_back({n, "101", amount{n % 2 == 0 ? 1 : -2, 0, 2}, "", 1});
        here.compare_lines(lines);
        CHECK(here.ticks >= 40);  // half of them for reading
        CHECK(here.all.size() == 10'239);
    }

    TEST_CASE("findings are JSON and CSV of one shape")
    {
        bench here{with_states({{"voided", 1, 1}})};
        here.compare_lines({{2, "100", amount{12, 500'000, 2}}, {3, "=x,y", {}}});
        std::string json;
        std::string csv;
        invoice_text to_json{{.json = true, .csv = {}, .findings_max = 1}};
        invoice_text to_csv{
            {.json = false, .csv = {.excel = excel_language::de}, .findings_max = 0}};
        invoice_columns columns;
        columns.name = "Sendungsnummer";
        to_json.begin(json, columns);
        to_csv.begin(csv, columns);
        for (auto const& each : here.all)
        {
            to_json.append(json, each);
            to_csv.append(csv, each);
        }
        to_json.end(json, here.summary);
        to_csv.end(csv, here.summary);
        auto const read = json_value::parse(json);
        CHECK(read["column"] == "Sendungsnummer");
        REQUIRE(read["findings"].size() == 1);  // the most that were asked for
        CHECK(read["findings"][0]["finding"] == "not-of-series");
        CHECK(read["findings"][0]["amount"].is_null());
        CHECK(read["findings"][0]["line"] == 3);
        CHECK(read["summary"]["lines"] == "2");
        CHECK(read["summary"]["findings"] == "2");
        CHECK(read["summary"]["sum"] == "12.50");
        CHECK(read["summary"]["several_rows"] == "0");
        CHECK(read["summary"]["differing_totals"].size() == 0);
        CHECK(read["summary"]["first_unread"].is_null());
        CHECK(read["summary"]["billed_voided"] == "1");
        CHECK(read["summary"]["amounts"] == json_value{{"billed-voided", "12.50"}});
        CHECK(
            csv.find("berechnet, aber entwertet;100;2;12,50;Sie ist entwertet.\n") !=
            std::string::npos
        );
        CHECK(csv.starts_with("\xef\xbb\xbf"
                              "Abweichung;Sendungsnummer;Zeile;Betrag;Näheres\n"));
        CHECK(csv.find("keine passende Nummer;'=x,y;3;;") != std::string::npos);
    }
}

}  // namespace gapless::test::reconciliation_test
