#include "app/metrics.hpp"
#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace metrics_test {

using namespace gapless;
using namespace gapless::test;

using namespace std::chrono_literals;

/// The value of the line that starts so; empty when there is none.
std::string value_of(std::string_view metrics, std::string_view series)
{
    auto const line = "\n" + std::string{series} + ' ';
    auto const begin = metrics.find(line);
    if (begin == std::string_view::npos)
        return {};
    auto const value = metrics.substr(begin + line.size());
    return std::string{value.substr(0, value.find('\n'))};
}

struct metrics_fixture : http_fixture
{
    raw_answer scrape() { return ask("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"); }
    std::string metric(std::string_view name) { return value_of(scrape().body, name); }
};

TEST_SUITE("app/metrics_http")
{
    TEST_CASE_FIXTURE(metrics_fixture, "metrics ask for no token and no database")
    {
        service.throws = true;
        auto const answer = scrape();
        CHECK(answer.status == 200);
        CHECK(answer.field("content-type") == "text/plain; version=0.0.4; charset=utf-8");
        CHECK(
            value_of(answer.body, R"(gapless_build_info{version=")" GAPLESS_VERSION R"("})") == "1"
        );
    }

    TEST_CASE_FIXTURE(metrics_fixture, "requests are counted by their class, scrapes included")
    {
        CHECK(metric(R"(gapless_http_requests_total{class="2xx"})") == "0");
        CHECK(ask(request("GET /nothing")).status == 404);
        CHECK(metric(R"(gapless_http_requests_total{class="2xx"})") == "1");
        CHECK(metric(R"(gapless_http_requests_total{class="4xx"})") == "1");
        CHECK(metric("gapless_http_framing_faults_total") == "0");
        CHECK(ask("nonsense\r\n\r\n").status == 400);
        CHECK(metric("gapless_http_framing_faults_total") == "1");
        CHECK(metric("gapless_http_connections") != "");
    }

    TEST_CASE_FIXTURE(metrics_fixture, "the figures of the service are told")
    {
        service.known_figures.connected = true;
        service.known_figures.waiting = 7;
        service.known_figures.queue.requests = 12;
        service.known_figures.queue.batches = 3;
        service.known_figures.queue.numbers = 12'345'678;
        auto const metrics = scrape().body;
        CHECK(value_of(metrics, "gapless_database_connected") == "1");
        CHECK(value_of(metrics, "gapless_issue_waiting") == "7");
        CHECK(value_of(metrics, "gapless_issue_requests_total") == "12");
        CHECK(value_of(metrics, "gapless_issue_batches_total") == "3");
        CHECK(value_of(metrics, "gapless_numbers_issued_total") == "12345678");
        CHECK(value_of(metrics, "gapless_fenced") == "0");
        CHECK(value_of(metrics, "gapless_sealed_time_seconds").empty());
        service.known_figures.sealed = std::chrono::system_clock::time_point{90s};
        CHECK(metric("gapless_sealed_time_seconds") == "90");
        CHECK(metric("gapless_notice_waiters") == "0");
        service.known_figures.notice_waiters = 3;
        CHECK(metric("gapless_notice_waiters") == "3");
        service.known_figures.fenced = true;
        CHECK(metric("gapless_fenced") == "1");
        service.known_figures.refused = true;
        CHECK(metric("gapless_issuing_refused") == "1");
        service.known_figures.connected = false;
        CHECK(metric("gapless_database_connected") == "0");
    }

    TEST_CASE("durations fall into the first bucket that holds them, its end included")
    {
        service_figures figures;
        auto& durations = figures.queue.durations;
        durations.add(250us);
        durations.add(250us + 1ns);
        durations.add(1min);
        auto const metrics = to_metrics({}, figures, {}, {});
        auto const bucket = [&](std::string_view end) {
            return value_of(
                metrics, R"(gapless_issue_duration_seconds_bucket{le=")" + std::string{end} + "\"}"
            );
        };
        CHECK(bucket("0.00025") == "1");
        CHECK(bucket("0.0005") == "2");
        CHECK(bucket("10") == "2");
        CHECK(bucket("+Inf") == "3");
        CHECK(value_of(metrics, "gapless_issue_duration_seconds_count") == "3");
    }

    TEST_CASE_FIXTURE(metrics_fixture, "series are told once the database was asked")
    {
        auto& series = service.known_figures.series.emplace_back();
        series.name = "dhl-paket";
        series.issued = 3;
        series.remaining = "249998";
        CHECK(metric(R"(gapless_series_remaining{series="dhl-paket"})") == "");

        auto const read =
            std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
        service.known_figures.series_read = read;
        CHECK(metric(R"(gapless_series_remaining{series="dhl-paket"})") == "249998");
        CHECK(metric(R"(gapless_series_issued{series="dhl-paket"})") == "3");
        CHECK(metric(R"(gapless_series_paused{series="dhl-paket"})") == "0");
        CHECK(
            metric("gapless_series_read_time_seconds") ==
            std::to_string(read.time_since_epoch().count())
        );
        // What nobody set and nobody knows has no line.
        CHECK(metric(R"(gapless_series_low_water{series="dhl-paket"})") == "");
        CHECK(metric(R"(gapless_series_days_left{series="dhl-paket"})") == "");

        CHECK(metric(R"(gapless_series_on_lease{series="dhl-paket"})") == "0");
        series.on_lease = 400;
        series.overdue = 30;
        CHECK(metric(R"(gapless_series_on_lease{series="dhl-paket"})") == "400");
        CHECK(metric(R"(gapless_series_overdue{series="dhl-paket"})") == "30");
        series.low_water = 300'000;
        series.forecast.days_left = rounded<0>{249};
        series.forecast.days_left_p10 = rounded<0>{200};
        series.forecast.days_left_p90 = rounded<0>{310};
        series.forecast.order_by = std::chrono::sys_days{std::chrono::days{20'000}};
        CHECK(metric(R"(gapless_series_low_water{series="dhl-paket"})") == "300000");
        CHECK(metric(R"(gapless_series_days_left{series="dhl-paket"})") == "249");
        CHECK(metric(R"(gapless_series_days_left_p10{series="dhl-paket"})") == "200");
        CHECK(metric(R"(gapless_series_days_left_p90{series="dhl-paket"})") == "310");
        CHECK(
            metric(R"(gapless_series_order_by_timestamp_seconds{series="dhl-paket"})") ==
            "1728000000"
        );
        series.forecast.order_by = std::chrono::sys_days{std::chrono::days{300'000}};
        CHECK(
            metric(R"(gapless_series_order_by_timestamp_seconds{series="dhl-paket"})") ==
            "25920000000"
        );
        CHECK(metric(R"(gapless_series_in_state{state="due"})") == "0");
    }

    TEST_CASE_FIXTURE(metrics_fixture, "of series that were read minutes ago only that is told")
    {
        auto& series = service.known_figures.series.emplace_back();
        series.name = "s";
        series.remaining = "7";
        series.used_a_day = 100;
        service.known_figures.reserve = {.series = {{"s", 500, true}}};
        auto const now = std::chrono::system_clock::now();
        service.known_figures.series_read = now - 150s;  // large installations: each two minutes
        CHECK(metric(R"(gapless_series_remaining{series="s"})") == "7");
        CHECK(metric("gapless_all_series") == "1");
        service.known_figures.series_read = now - 190s;
        auto const metrics = scrape().body;
        for (std::string_view const gone : {"gapless_series_remaining", "gapless_all_series"})
            CHECK(metrics.find(gone) == std::string::npos);
        CHECK_FALSE(value_of(metrics, "gapless_series_read_time_seconds").empty());
        CHECK_FALSE(value_of(metrics, R"(gapless_reserve_seconds_left{series="s"})").empty());
    }

    TEST_CASE("the largest series have lines, and always those that need a look; totals are of all")
    {
        service_figures figures;
        figures.series_read = std::chrono::sys_days{std::chrono::days{20'000}};
        figures.series.resize(10);
        char name = 'a';
        for (auto& series : figures.series)
        {
            series.name = name;
            series.issued = 10 * (name++ - 'a');
            series.remaining = "100";
        }
        auto& known = figures.series;
        known[0].remaining = "0";  // a: never had a block
        known[1].remaining = "0";  // b: its only block ended before a number was issued
        known[1].blocks = 1;
        known[1].issued = 0;
        known[2].low_water = 101;  // c: low
        known[3].paused = true;
        known[4].overdue = 1;
        for (auto& series : known)
            series.forecast.days_left = rounded<0>{9};
        for (auto& series : known)
            series.forecast.days_left_p10 = series.forecast.days_left_p90 = rounded<0>{9};
        known[5].forecast.order_by = std::chrono::sys_days{std::chrono::days{20'000}};
        known[6].forecast.order_by = std::chrono::sys_days{std::chrono::days{20'001}};
        auto const lines = [&](std::size_t most, std::string_view family) {
            figures.series_lines = most;
            auto const metrics = to_metrics({}, figures, {}, *figures.series_read);
            std::string found;
            for (auto const& series : known)
                if (!value_of(metrics, std::string{family} + "{series=\"" + series.name + "\"}")
                         .empty())
                    found += series.name;
            return found;
        };
        for (auto const* family :
             {"gapless_series_issued",
              "gapless_series_remaining",
              "gapless_series_paused",
              "gapless_series_overdue",
              "gapless_series_days_left"})
        {
            CHECK(lines(0, family) == "bcdef");
            CHECK(lines(2, family) == "bcdefij");
            CHECK(lines(all_series_lines, family) == "abcdefghij");
        }
        CHECK(lines(0, "gapless_series_order_by_timestamp_seconds") == "f");
        CHECK(lines(0, "gapless_series_low_water") == "c");
        figures.series_lines = 0;
        auto const metrics = to_metrics({}, figures, {}, *figures.series_read);
        CHECK(value_of(metrics, "gapless_all_series") == "10");
        CHECK(value_of(metrics, "gapless_all_series_issued") == "440");
        CHECK(value_of(metrics, "gapless_all_series_remaining") == "800");
        for (std::string const state : {"exhausted", "low", "due", "paused", "overdue"})
            CHECK(value_of(metrics, "gapless_series_in_state{state=\"" + state + "\"}") == "1");
    }

    TEST_CASE_FIXTURE(metrics_fixture, "a reserve is told by series, and what it answered")
    {
        CHECK(metric("gapless_reserve_answers_total") == "0");
        CHECK(metric("gapless_reserve_draws") == "0");
        CHECK(metric("gapless_lease_unsettled") == "0");
        // Of 8 hours in which 5,106 numbers are asked for, 500 last 2,820 seconds.
        service.known_figures.series.resize(2);
        service.known_figures.series[0].name = "a";
        service.known_figures.series[0].used_a_day = 5'106;
        service.known_figures.series[1].name = "b";  // nothing of it is used
        service.known_figures.reserve = {
            .series = {{"a", 500, true}, {"b", 7, false}, {"not-read-yet", 7, true}},
            .answers = 12,
            .unsettled = 5,
            .cut = true};
        CHECK(metric("gapless_reserve_answers_total") == "12");
        CHECK(metric("gapless_reserve_draws") == "1");
        CHECK(metric("gapless_lease_unsettled") == "5");
        CHECK(metric(R"(gapless_reserve_numbers{series="a"})") == "500");
        CHECK(metric(R"(gapless_reserve_numbers{series="b"})") == "7");
        CHECK(metric(R"(gapless_reserve_serves{series="a"})") == "1");
        CHECK(metric(R"(gapless_reserve_serves{series="b"})") == "0");
        CHECK(metric(R"(gapless_reserve_seconds_left{series="a"})") == "2820");
        CHECK(metric(R"(gapless_reserve_seconds_left{series="b"})") == "");
        CHECK(metric(R"(gapless_reserve_seconds_left{series="not-read-yet"})") == "");
    }

    TEST_CASE_FIXTURE(metrics_fixture, "what is wrong with the server is a gauge, news are not")
    {
        using enum health_severity;
        service.known_figures.checks = {
            {"fsync", risk, false, "off", "set it"},
            {"autovacuum", warning, true, "on", ""},
            {"synchronous_standby_names", info, false, "", "think"}};
        CHECK(metric(R"(gapless_database_warning{check="fsync"})") == "1");
        CHECK(metric(R"(gapless_database_warning{check="autovacuum"})") == "0");
        CHECK(metric(R"(gapless_database_warning{check="synchronous_standby_names"})") == "");
    }
}

}  // namespace metrics_test
