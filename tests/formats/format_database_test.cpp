#include "formats/operations.hpp"
#include "harness/json_value.hpp"
#include "harness/operation_bench.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace gapless::formats::test {

namespace {

using gapless::test::json_value;

struct format_bench : gapless::test::operation_bench
{
    result<answered> declare(std::string_view body)
    {
        auto const& wanted =
            *std::ranges::find(administration.operations, http_method::post, &operation::method);
        return ask({&wanted, std::make_shared<format const>(read_format(body))});
    }

    result<answered> show(std::string const& name)
    {
        return ask(administration, http_method::get, "/v1/formats/{name}", {name});
    }

    result<answered> list(raw_value after = {}, raw_value limit = {})
    {
        return ask(administration, http_method::get, "/v1/formats", {after, limit});
    }
};

std::string outcome(result<answered> const& made)
{
    return made.has_error() ? std::string{name_of(made.error().kind)} : made->json;
}

/// Why a body is no format, in words; empty: it is one.
std::string refusal_of(std::string_view body)
{
    try
    {
        read_format(body);
        return {};
    }
    catch (refused const& no)
    {
        CHECK(no.why.kind == refusal_kind::malformed_request);
        return no.why.detail;
    }
}

/// The length of a format, as it is shown, for one that is given.
std::string length_of(std::string_view given)
{
    auto const read =
        read_format(R"({"name":"a","number":"{n:*}","length":)" + std::string{given} + '}');
    std::string json;
    append_json(json, read.length);
    return json;
}

constexpr std::string_view own{
    R"({"name":"own-8","number":"[{n:7}]{c}","length":null,"check":"mod7","hrt":"#### ####",)"
    R"("barcode":{"symbology":"code128","data":"{number}"},"carrier":"Parcel shops"})"};

}  // namespace

TEST_SUITE("formats/format_database")
{
    TEST_CASE_FIXTURE(format_bench, "a format of the shipper's own is kept, read again and listed")
    {
        CHECK(outcome(declare(own)) == own);
        CHECK(outcome(declare(own)) == own);
        CHECK(outcome(show("own-8")) == own);
        CHECK(
            outcome(declare(R"({"name":"bare","number":"P{n:8}","hrt":""})")) ==
            R"({"name":"bare","number":"P{n:8}","length":null,"check":"none","hrt":null,)"
            R"("barcode":null,"carrier":null})"
        );
        auto const all = json_value::parse(list()->json)["items"];
        CHECK(all[0]["name"] == "plain");
        CHECK(all[all.size() - 2]["name"] == "bare");
        CHECK(all[all.size() - 1]["name"] == "own-8");
        CHECK(
            outcome(list("bare", "1")) == R"({"items":[)" + std::string{own} + R"(],"next":null})"
        );
        CHECK(json_value::parse(list({}, "1")->json)["next"] == "plain");
        CHECK(outcome(list("none")) == "out-of-range");
        CHECK(outcome(list("", "1")) == outcome(list({}, "1")));
        CHECK(
            run("select actor, subject from gapless.audit_log where action like 'form%'") ==
            "sql:cli:anna|own-8 sql:cli:anna|bare"
        );
    }

    TEST_CASE_FIXTURE(format_bench, "a name is declared once, and a template that fits")
    {
        REQUIRE(declare(own).has_value());
        CHECK(outcome(declare(R"({"name":"own-8","number":"{n:8}"})")) == "state-conflict");
        CHECK(outcome(declare(R"({"name":"plain","number":"{n:*}"})")) == "state-conflict");
        CHECK(outcome(declare(R"({"name":"Big","number":"{n:8}"})")) == "out-of-range");
        CHECK(outcome(declare(R"({"name":"a","number":"{n:8}","length":7})")) == "out-of-range");
        auto const long_carrier = std::string(201, 'x');
        CHECK(
            outcome(declare(R"({"name":"a","number":"{n:8}","carrier":")" + long_carrier + "\"}")
            ) == "out-of-range"
        );
        auto const drawn_with = [this](std::string const& parameter) {
            return outcome(declare(
                R"({"name":"a","number":"{n:8}","barcode":{"symbology":"code128",)"
                R"("data":"{number}{)" +
                parameter + ":N3}\"}}"
            ));
        };
        CHECK(drawn_with("dpi") == "out-of-range");
        CHECK(drawn_with("height_mm") == "out-of-range");
        CHECK(drawn_with("depot").starts_with("{"));
        auto const missing = show("own");
        CHECK(outcome(missing) == "not-found");
        CHECK(missing.error().detail == "there is no format 'own'; did you mean own-8?");
    }

    TEST_CASE_FIXTURE(format_bench, "a format that an earlier version kept is the same one today")
    {
        run(R"(select gapless.format_declare('old', '{"name":"old","number":"P{n:8}",)"
            R"("length":null,"check":"none","hrt":null,"barcode":null}', 'anna'))");
        auto const today = outcome(declare(R"({"name":"old","number":"P{n:8}"})"));
        CHECK(json_value::parse(today)["carrier"].is_null());
        CHECK(outcome(show("old")) == today);
        // Its parameter could not be declared today.
        run(R"(select gapless.format_declare('dots', '{"name":"dots","number":"P{dpi:N3}{n:8}",)"
            R"("length":null,"check":"none","hrt":null,"barcode":null}', 'anna'))");
        CHECK(outcome(show("dots")).starts_with("{"));
    }

    TEST_CASE("what is no format is refused, naming the field")
    {
        CHECK(refusal_of(own) == "");
        CHECK(refusal_of("[]") == "The body has to be a JSON object, not a list.");
        CHECK(refusal_of(R"({"name":"a"})") == R"(The field "number" is missing.)");
        CHECK(refusal_of(R"({"name":"a","number":"{n}","x":"y"})")
                  .starts_with(R"(The field "x" is unknown: this body takes name, )"));
        CHECK(
            refusal_of(R"({"name":"","number":"{n}"})") ==
            "a format needs a name and a number (its template)"
        );
        for (std::string const barcode :
             {R"("code128")",
              R"({"symbology":"code128"})",
              R"({"symbology":true,"data":"{number}"})"})
        {
            CAPTURE(barcode);
            auto const body = R"({"name":"a","number":"{n}","barcode":)" + barcode + '}';
            CHECK(refusal_of(body).starts_with(R"(The field "barcode" ha)"));
        }
    }

    TEST_CASE("a length is a number, or the shortest and the longest")
    {
        CHECK(length_of("null") == "null");
        CHECK(length_of("18") == "18");
        CHECK(length_of(R"("18")") == "18");
        CHECK(length_of(R"("18-22")") == R"("18-22")");
        for (std::string const length :
             {R"("")", R"("18-")", R"("-18")", R"("18-22-24")", "-1", "1.5"})
        {
            CAPTURE(length);
            CHECK(refusal_of(R"({"name":"a","number":"{n}","length":)" + length + '}')
                      .starts_with(R"(The field "length" has to be a number, or shortest-longest)")
            );
        }
    }
}

}  // namespace gapless::formats::test
