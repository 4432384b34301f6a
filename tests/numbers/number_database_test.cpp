#include "formats/format_store.hpp"
#include "harness/json_value.hpp"
#include "harness/operation_bench.hpp"
#include "numbers/operations.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace gapless::numbers::test {

namespace {

using gapless::test::json_value;

/// The series express, whose numbers 331'881'002 to 331'881'004 are issued for "order", and plain,
/// of which none is.
struct number_bench : gapless::test::operation_bench
{
    number_bench()
    {
        create_series("plain", {{100, 199}});
        run("select gapless.series_create('express', 'dhl', null, 'dhl-express-10', null, "
            "null, null, null, 'test')");
        load_block("express", {331'881'002, 331'881'009});
        run("select gapless.issue('express', 3, 'k', 'order')");
        all = run_read(connection(), [](pqxx::transaction_base& transaction) {
                  return read_series_settings(transaction, std::nullopt);
              }).value();
    }

    series_entry const& entry_of(std::string_view series) const
    {
        return *std::ranges::find(all, series, &series_entry::name);
    }

    /// The answer's JSON, or why it is refused.
    std::string get(std::string_view path, std::vector<raw_value> values, viewer const& sees = {})
    {
        auto const* const series =
            values.size() == 2 ? &entry_of(std::get<std::string>(values[0])) : nullptr;
        auto const made =
            ask(administration, http_method::get, path, std::move(values), sees, series);
        return made.has_error() ? outcome(made.error()) : made->json;
    }

    std::string read(std::string const& series, std::string const& number)
    {
        return get("/v1/series/{series}/numbers/{number}", {series, number});
    }

    std::string search(std::string const& number, viewer const& sees = {})
    {
        return get("/v1/numbers/{number}", {number}, sees);
    }

    std::string search_in(std::string const& series, std::string const& number, viewer const& sees)
    {
        auto const made =
            ask(administration, http_method::get, "/v1/numbers/{number}", {number, series}, sees);
        return made.has_error() ? outcome(made.error()) : made->json;
    }

    /// Records an event of the series, which is read as a body is.
    std::string note(std::string const& series, std::string_view body)
    {
        auto const& wanted = administration.operations.back();
        std::vector<raw_value> values(wanted.input->fields.size());
        values[0] = series;
        auto const made = result_of([&] {
            read_object(body, wanted.input->fields.subspan(1), std::span{values}.subspan(1));
            auto input = make_record(*wanted.input, values, word_for_body);
            return value_or_throw(ask({&wanted, std::move(input), {}, &entry_of(series)}));
        });
        return made.has_error() ? outcome(made.error()) : made->json;
    }

    static std::string outcome(refusal const& why)
    {
        auto told = std::string{name_of(why.kind)} + ": " + why.detail;
        for (auto const& name : why.series)
            told += " [" + name + "]";
        return told;
    }

    std::vector<series_entry> all;
};

/// A body with so many ranges, of one number each.
std::string printed(int ranges)
{
    std::string body{R"({"kind":"printed","ranges":[)"};
    for (int n = 0; n < ranges; ++n)
        body += R"({"first":"100","last":"100"},)";
    body.back() = ']';
    return body + '}';
}

}  // namespace

TEST_SUITE("numbers/number_database")
{
    TEST_CASE_FIXTURE(number_bench, "a number is found in every spelling, with its history")
    {
        REQUIRE(note(
                    "express",
                    R"({"kind":"voided","ranges":[{"first":"3318810025","last":"3318810025"}],)"
                    R"("reason":"torn"})"
        )
                    .starts_with(R"({"series":"express","kind":"voided","count":1,)"));
        auto const found = read("express", "3318810025");
        auto const record = json_value::parse(found);
        auto const moment_of = [&](int n) { return record["history"][n]["at"].text(); };
        auto const actor = record["history"][0]["actor"].text();
        CHECK(
            found == R"({"number":"3318810025","serial":"331881002","series":"express",)"
                     R"("state":"voided","ordinal":"1","block":"2","cycle":1,"issuance":")" +
                         record["issuance"].text() +
                         R"(","reference":"order","history":[{"kind":"issued","at":")" +
                         moment_of(0) + R"(","actor":")" + actor +
                         R"(","reason":"order"},{"kind":"voided","at":")" + moment_of(1) +
                         R"(","actor":"cli:anna","reason":"torn"}],"hrt":"33 1881 0025"})"
        );
        CHECK(read("express", "33 1881 0025") == found);
        CHECK(search("33 1881 0025") == found);
    }

    TEST_CASE_FIXTURE(number_bench, "a number that has not left has no history")
    {
        CHECK(
            read("plain", "107") ==
            R"({"number":"107","serial":"107","series":"plain","state":"free","ordinal":null,)"
            R"("block":"1","cycle":1,"issuance":null,"reference":null,"history":[]})"
        );
    }

    TEST_CASE_FIXTURE(number_bench, "an unknown number is told why, and a foreign one is unknown")
    {
        CHECK(read("express", "3318810026")
                  .starts_with("unknown-number: '3318810026' is not a number of series 'express': ")
        );
        auto const nowhere = search("200");
        CHECK(nowhere.starts_with("unknown-number: '200' is not a number of any series: "));
        CHECK(nowhere.find("no block holds it") != nowhere.npos);
        viewer const clerk{{{"plain"}}};
        CHECK(
            search("3318810025", clerk) ==
            "unknown-number: '3318810025' is not a number of series 'plain': no block holds it"
        );
        CHECK(search("107", clerk) == search("107"));
    }

    TEST_CASE_FIXTURE(number_bench, "a number that is not whole is found and told, never changed")
    {
        std::string const whole{"'331881003' is 3318810036 without its check digit"};
        CHECK(search("331881003").starts_with(R"({"number":"3318810036",)"));
        CHECK(read("express", "331881003").ends_with(R"("completed":")" + whole + "\"}"));
        CHECK(
            note("express", R"({"kind":"printed","ranges":[{"first":"331881003","last":"1"}]})") ==
            "out-of-range: " + whole + ": give the whole number"
        );
        CHECK(search("3318810037").ends_with("of any series: check digit 6 expected, 7 found"));
        create_series("long", {{331'881'003, 331'881'003}}, "other");
        CHECK(search("331881003").find("the series express (3318810036), long: ") != whole.npos);
    }

    TEST_CASE_FIXTURE(number_bench, "a number that several series hold is refused, naming them")
    {
        create_series("elsewhere", {{150, 299}}, "other");
        auto const refused = search("150");
        CHECK(refused.starts_with("ambiguous-number: "));
        CHECK(refused.ends_with("the series plain, elsewhere: say which [plain] [elsewhere]"));
        CHECK(search("149").find(R"("series":"plain")") != refused.npos);
        viewer const clerk{{{"plain"}}};
        CHECK(search("150", clerk) == read("plain", "150"));
        CHECK(search_in("elsewhere", "150", {}).find(R"("series":"elsewhere")") != refused.npos);
        CHECK(search_in("elsewhere", "150", clerk).starts_with("unknown-series: "));
        CHECK(search_in("none", "150", {}).starts_with("unknown-series: "));
        CHECK(search_in("plain", "150", clerk) == read("plain", "150"));
    }

    TEST_CASE_FIXTURE(number_bench, "an event is answered with how many numbers it concerns")
    {
        CHECK(
            note(
                "express",
                R"({"kind":"printed","ranges":[{"first":"33 1881 0025","last":"3318810036"},)"
                R"({"first":"\u001d3318810040","last":"3318810040"}],"force":true})"
            ) == R"({"series":"express","kind":"printed","count":3,"ranges":[)"
                 R"({"first":"3318810025","last":"3318810036"},)"
                 R"({"first":"3318810040","last":"3318810040"}],"reason":null})"
        );
    }

    TEST_CASE_FIXTURE(number_bench, "an event has a known kind, numbers of the series, and bounds")
    {
        constexpr std::string_view one{R"("ranges":[{"first":"100","last":"100"}])"};
        auto const with = [&](std::string const& more) {
            return note("plain", '{' + more + ',' + std::string{one} + '}');
        };
        CHECK(
            with(R"("kind":"lost")") ==
            "out-of-range: The field \"kind\" has to be printed, reprinted, voided, manifested or "
            "returned."
        );
        for (std::string const reason : {"", R"(,"reason":null)", R"(,"reason":" ")"})
            CHECK(
                with(R"("kind":"voided")" + reason) ==
                "out-of-range: The field \"reason\" has to have 1 to 255 characters."
            );
        CHECK(
            with(R"("kind":"printed","reason":")" + std::string(256, 'x') + '"') ==
            "out-of-range: The field \"reason\" has to have at most 255 characters."
        );
        CHECK(
            note("plain", '{' + std::string{one} + '}') ==
            "malformed-request: The field \"kind\" is missing."
        );
        CHECK(
            note("plain", R"({"kind":"printed","ranges":null})") ==
            "malformed-request: The field \"ranges\" is missing."
        );
        auto const range = [&](std::string const& first, std::string const& last) {
            return note(
                "plain",
                R"({"kind":"printed","ranges":[{"first":")" + first + R"(","last":")" + last +
                    "\"}]}"
            );
        };
        CHECK(range("x", "x").starts_with("unknown-number: 'x' is no number of series 'plain': "));
        CHECK(range("105", "104") == "out-of-range: The range from 105 ends before it begins.");
        CHECK(range("100", "100").starts_with("state-conflict: "));  // it is not issued
    }

    TEST_CASE_FIXTURE(number_bench, "an event takes 1 to 10000 ranges")
    {
        constexpr auto beyond = "out-of-range: The field \"ranges\" has to have 1 to 10000 ranges.";
        CHECK(note("plain", R"({"kind":"printed","ranges":[]})") == beyond);
        CHECK(note("plain", printed(10'001)) == beyond);
        CHECK(note("plain", printed(10'000)).starts_with("state-conflict: "));
    }
}

}  // namespace gapless::numbers::test
