#include "formats/catalogue.hpp"
#include "formats/format_store.hpp"
#include "harness/json_value.hpp"
#include "harness/operation_bench.hpp"
#include "postgres/transaction.hpp"
#include "series/operations.hpp"

#include <doctest/doctest.h>

namespace gapless::series::test {

namespace {

using gapless::test::json_value;

std::string json_of(auto const& whole)
{
    std::string json;
    append_json(json, whole);
    return json;
}

template <record Input>
Input read_body(std::string_view body)
{
    auto const& type = input_of<Input>;
    std::vector<raw_value> values(type.fields.size());
    read_object(body, type.fields, values);
    for (std::size_t n = 0; n < values.size(); ++n)
        if (type.fields[n].name == "series")
            values[n] = "s";
    return *std::static_pointer_cast<Input const>(make_record(type, values, word_for_body));
}

/// Why such a body is refused, in words; empty: it is not.
template <record Input>
std::string refusal_of(std::string_view body)
{
    try
    {
        read_body<Input>(body);
        return {};
    }
    catch (refused const& no)
    {
        return std::string{name_of(no.why.kind)} + ": " + no.why.detail;
    }
}

viewer only(std::vector<std::string> names)
{
    return {std::move(names)};
}

std::chrono::sys_days november(unsigned day)
{
    return std::chrono::year{2026} / std::chrono::November / std::chrono::day{day};
}

/// A database of which the operations are asked as HTTP asks them, by somebody who sees all.
struct series_bench : gapless::test::operation_bench
{
    template <class Work>
    auto tried(Work work)
    {
        return run_serializable(
            connection(),
            {},
            [&](pqxx::transaction_base& transaction) -> result<decltype(work(transaction))> {
                try
                {
                    return work(transaction);
                }
                catch (refused const& no)
                {
                    return no.why;
                }
            }
        );
    }

    result<series> create(std::string_view body, viewer const& sees = {})
    {
        return tried([&](pqxx::transaction_base& transaction) {
            return gapless::series::create(
                transaction, read_body<series_draft>(body), {"cli:anna"}, sees
            );
        });
    }

    result<series> change(std::string_view body, std::optional<std::int32_t> version = {})
    {
        auto wanted = read_body<series_change>(body);
        wanted.if_match.version = version;
        return tried([&](pqxx::transaction_base& transaction) {
            return gapless::series::change(transaction, wanted, {"cli:anna"});
        });
    }

    /// What a GET of that path answers.
    json_value get(std::string_view path, std::vector<raw_value> values, viewer const& sees = {})
    {
        auto const& of = path.ends_with("/consumption") ? reports : administration;
        auto const all = run_read(connection(), [](pqxx::transaction_base& transaction) {
            return read_series_settings(transaction, std::nullopt);
        });
        auto const* series = all.value().empty() ? nullptr : &all.value().front();
        auto const made = ask(of, http_method::get, path, std::move(values), sees, series);
        return json_value::parse(made.value().json);
    }

    /// "a b, next b" of a page.
    std::string names(std::vector<raw_value> values, viewer const& sees = {})
    {
        auto const page = get("/v1/series", std::move(values), sees);
        std::string told;
        for (std::size_t n = 0; n < page["items"].size(); ++n)
            told += (n > 0 ? " " : "") + page["items"][n]["name"].text();
        return page["next"] == nullptr ? told : told + ", next " + page["next"].text();
    }
};

}  // namespace

TEST_SUITE("series/series_record_database")
{
    TEST_CASE("a series is told as the contract has it")
    {
        series one;
        one.name = "s";
        one.version.value = 7;
        one.params["a"] = "b";
        one.next.emplace().printed = "8487135506";
        one.states = {
            .free = 1,
            .held = 2,
            .issued = 3,
            .printed = 4,
            .voided = "92233720368547758070",
            .manifested = 6,
            .returned = 7};
        CHECK(
            json_of(one) ==
            R"({"name":"s","carrier":"","space":"","format":"","params":{"a":"b"},)"
            R"("on_release":"","on_expiry":"","low_water":null,"paused":false,)"
            R"("paused_reason":null,"paused_by":null,"paused_at":null,)"
            R"("issued":"0","remaining":"0","next":"8487135506","blocks":"0",)"
            R"("reuse_after":null,"reserve_numbers":null,"on_lease":"0","reserve_minutes":null,)"
            R"("states":{"free":"1","held":"2","issued":"3","printed":"4",)"
            R"("voided":"92233720368547758070","manifested":"6","returned":"7"},)"
            R"("forecast":{"per_day":null,"days_left":null,"exhausted_on":null,)"
            R"("days_left_p10":null,"days_left_p90":null,"exhausted_from":null,)"
            R"("exhausted_to":null,"order_by":null,"lead_days":null}})"
        );
    }

    TEST_CASE("forecasts of what is due by tomorrow are told, with what is remaining")
    {
        std::vector<watched_series> all(3);
        all[0].name = "without";
        all[1].name = "b \"quoted\"";
        all[1].remaining = "41200";
        all[1].forecast = {
            .per_day = rounded<1>{30.04},
            .days_left = rounded<0>{3},
            .exhausted_on = november(23),
            .days_left_p10 = rounded<0>{2},
            .days_left_p90 = rounded<0>{5},
            .exhausted_from = november(22),
            .exhausted_to = november(25),
            .order_by = november(14),
            .lead_days = 7};
        all[1].today = november(13);
        all[2].name = "for ever";
        all[2].forecast.per_day = rounded<1>{1};
        CHECK(
            to_forecasts_json(all) ==
            R"({"b \"quoted\"":{"per_day":"30.0","days_left":3,"exhausted_on":"2026-11-23",)"
            R"("days_left_p10":2,"days_left_p90":5,"exhausted_from":"2026-11-22",)"
            R"("exhausted_to":"2026-11-25","order_by":"2026-11-14","lead_days":7,)"
            R"("remaining":"41200"},"for ever":{}})"
        );
        CHECK(to_forecasts_json({}) == "{}");
    }

    TEST_CASE("creating needs a name and a carrier and no more")
    {
        auto const why = refusal_of<series_draft>;
        auto const with = [&](std::string const& more) {
            return why(R"({"name":"gls","carrier":"GLS",)" + more + '}');
        };
        CHECK(why(R"({"name":"gls","carrier":"GLS"})").empty());
        CHECK(with(R"("params":{"a":"b"},"low_water":null,"reserve_numbers":"500")").empty());
        CHECK(why(R"({"name":"gls"})") == R"(malformed-request: The field "carrier" is missing.)");
        CHECK(why(R"({"carrier":"g"})") == R"(malformed-request: The field "name" is missing.)");
        std::vector<std::string> const wrong_names{"", "-a", "A", "a b", "ä", std::string(64, 'a')};
        for (auto const& name : wrong_names)
            CHECK(
                why(R"({"carrier":"c","name":")" + name + "\"}") ==
                "out-of-range: The field \"name\" has to be 1 to 63 characters of a-z, 0-9, '.', "
                "'_' and '-', a letter or digit first."
            );
        CHECK(why(R"({"carrier":"c","name":"0.a_b-)" + std::string(57, 'a') + "\"}").empty());
        CHECK(with(R"("paused":true)").starts_with("malformed-request"));
        CHECK(with(R"("format":1)").starts_with("malformed-request"));
        CHECK(with(R"("low_water":-1)").starts_with("malformed-request"));
        CHECK(with(R"("params":{"a":true})").starts_with("malformed-request"));
    }

    TEST_CASE("null removes what can be removed, and nothing else")
    {
        auto const wanted = read_body<series_change>(
            R"({"low_water":null,"reuse_after":null,"reserve_numbers":"1000"})"
        );
        CHECK(wanted.low_water.present);
        CHECK_FALSE(wanted.low_water.value);
        CHECK(wanted.reuse_after.present);
        CHECK(wanted.reserve_numbers.value == 1'000);
        CHECK_FALSE(wanted.paused.present);
        CHECK_FALSE(wanted.on_release.present);
        for (std::string const field : {"paused", "on_release", "on_expiry"})
            CHECK(
                refusal_of<series_change>("{\"" + field + "\":null}") ==
                "out-of-range: The field \"" + field +
                    "\" cannot be removed: leave it out to keep it as it is."
            );
        CHECK(
            refusal_of<series_change>(R"({"reserve_numbers":-1})") ==
            "malformed-request: The field \"reserve_numbers\" has to be an integer from 0, its "
            "decimal digits in a string, or null, not a negative number."
        );
        CHECK(refusal_of<series_change>(R"({"paused":1})").starts_with("malformed-request"));
        CHECK(refusal_of<series_change>(R"({"name":"other"})").starts_with("malformed-request"));
    }

    TEST_CASE("numbers are loaded again after an interval in words")
    {
        auto const why = [](std::string_view interval) {
            return refusal_of<series_change>(R"({"reuse_after":")" + std::string{interval} + "\"}");
        };
        CHECK(why("12 months").empty());
        CHECK(why("1 year 2 mons 3 days").empty());
        for (std::string_view const interval :
             {"",
              "soon",
              "12",
              "months",
              "-1 day",
              "0 days",
              "04:00:00",
              "12  months",
              "12 fortnights",
              "99999 years"})
            CHECK(
                why(interval) == "out-of-range: The field \"reuse_after\" has to be an interval: "
                                 "\"12 months\", \"1 year 10 days\"."
            );
        CHECK(refusal_of<series_change>(R"({"reuse_after":12})").starts_with("malformed-request"));
    }

    TEST_CASE_FIXTURE(series_bench, "who sees some series creates no others")
    {
        auto const body = R"({"name":"gls","carrier":"GLS"})";
        auto const no = create(body, only({"dhl"}));
        REQUIRE(no.has_error());
        CHECK(no.error().kind == refusal_kind::forbidden);
        CHECK(no.error().detail == "The token is limited to series of other names.");
        CHECK(create(body, only({"dhl", "gls"})).has_value());
    }

    TEST_CASE_FIXTURE(series_bench, "a change sets what it names, at the version it names")
    {
        create_series("s", {{100, 199}});
        auto const set = change(R"({"low_water":"50","paused":true})", 1).value();
        CHECK(set.version.value == 2);
        CHECK(set.paused);
        CHECK(set.low_water == 50);
        CHECK(change("{}", 1).error().kind == refusal_kind::precondition_failed);
        // The audit log has numbers as numbers.
        CHECK(
            run("select after from gapless.audit_log order by audit_id desc limit 1") ==
            R"({"paused": true, "low_water": 50})"
        );
        auto const removed = change(R"({"low_water":null})").value();
        CHECK(removed.paused);
        CHECK_FALSE(removed.low_water);
        CHECK(removed.version.value == 3);
        CHECK(names({{}, "paused"}) == "s");
        CHECK(names({{}, "active"}).empty());
        CHECK(change(R"({"low_water":"101","paused":false})").has_value());
        CHECK(names({{}, "low"}) == "s");
        CHECK(names({{}, "active"}) == "s");
    }

    TEST_CASE_FIXTURE(series_bench, "lists have the series that are seen and wanted, in pages")
    {
        create_series("a", {{100, 109}});
        create_series("b", {{100, 109}}, "Other");
        create_series("c", {}, "Other");
        CHECK(names({}) == "a b c");
        CHECK(names({}, only({"a", "c"})) == "a c");
        CHECK(names({"Other"}) == "b c");
        CHECK(names({{}, "exhausted"}) == "c");
        CHECK(names({{}, {}, "A"}) == "a b c");  // "plain" has it, too
        CHECK(names({{}, {}, "PLAI"}) == "a b c");
        CHECK(names({{}, {}, "Oth"}) == "b c");
        run("select gapless.block_load('a', 500, 599, null, 'Letter 7', null, 'anna')");
        CHECK(names({{}, {}, "letter"}) == "a");
        CHECK(names({{}, {}, "letter 8"}).empty());
        CHECK(names({{}, "due"}).empty());
        run("insert into gapless.alert_state (kind, subject) "
            "select 'series.order_by', series_id from gapless.series where name = 'b'");
        CHECK(names({{}, "due"}) == "b");
        CHECK(names({{}, {}, {}, {}, {}, "2"}) == "a b, next b");
        CHECK(names({{}, {}, {}, {}, "b", "2"}) == "c");
        CHECK_THROWS_WITH(
            names({{}, "odd"}),
            "The query parameter state has to be active, low, due, exhausted or paused."
        );
    }

    TEST_CASE_FIXTURE(series_bench, "consumption has the latest days, and today")
    {
        create_series("s", {{100, 999}});
        issue("s", {"a", 3});
        auto const told = get("/v1/series/{series}/consumption", {"s"});
        CHECK(told["series"] == "s");
        CHECK(told["used_today"] == "3");
        CHECK(told["days"].size() == 0);
        CHECK(told["remaining"] == "897");
        CHECK(told["forecast"]["days_left"] == nullptr);
    }
}

}  // namespace gapless::series::test
