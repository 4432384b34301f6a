#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

#include <charconv>

namespace token_limits_test {

using namespace gapless;
using namespace gapless::test;

std::string with_token(std::string_view token, std::string_view line = "GET /v1/series")
{
    std::string const body{line.starts_with("POST") ? "{}" : ""};
    return std::string{line} + " HTTP/1.1\r\nHost: a\r\nIdempotency-Key: k\r\n" +
           "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\nAuthorization: Bearer " + std::string{token} + "\r\n\r\n" + body;
}

/// Whole seconds; -1: no such field, or not a number.
int retry_after(raw_answer const& answer)
{
    auto const text = answer.field("retry-after");
    int seconds = -1;
    auto const read = std::from_chars(text.data(), text.data() + text.size(), seconds);
    return read.ptr == text.data() + text.size() ? seconds : -1;
}

constexpr std::string_view issue_line{"POST /v1/series/dhl-paket/numbers"};

struct limited_fixture : http_fixture
{
    limited_fixture()
    {
        service.add_token("limited", all_scopes, std::nullopt, {.rate = 1, .daily_quota = 10});
    }
};

TEST_SUITE("access/token_limits_http")
{
    TEST_CASE_FIXTURE(limited_fixture, "beyond its rate a token gets 429, and nothing happens")
    {
        service.refuses_rate =
            refusal{refusal_kind::too_many_requests, "Slowly.", std::chrono::seconds{1}};
        for (auto const remembers : {true, false})
        {
            service.remembers = remembers;
            auto const answer = ask(with_token("limited", issue_line));
            CHECK(answer.status == 429);
            CHECK(answer.problem() == "too-many-requests");
            CHECK(answer.body.ends_with(R"("detail":"Slowly.","executed":"no"})"));
            CHECK(retry_after(answer) >= 1);
        }
        CHECK(service.issued.empty());
        CHECK(service.quota_taken.empty());
        CHECK(ask(with_token("all")).status == 200);  // it has no rate and is not counted
    }

    TEST_CASE_FIXTURE(limited_fixture, "limits of its own give a token no scope and no series")
    {
        token_limits const own{.rate = 1'000, .daily_quota = 10};
        auto const read = static_cast<unsigned>(scope::read);
        service.add_token("reads", read, std::nullopt, own);
        service.add_token("elsewhere", all_scopes, std::vector<std::string>{"gls"}, own);
        for (auto const remembers : {true, false})
        {
            service.remembers = remembers;
            CHECK(ask(with_token("reads")).status == 200);
            auto const forbidden = ask(with_token("reads", issue_line));
            CHECK(forbidden.problem() == "forbidden");
            CHECK(forbidden.body.find("lacks the scope issue") != std::string::npos);
            CHECK(ask(with_token("elsewhere", issue_line)).problem() == "unknown-series");
        }
        CHECK(service.issued.empty());
        CHECK(service.quota_taken.empty());
    }

    TEST_CASE_FIXTURE(limited_fixture, "beyond its quota a token gets 429, and may still read")
    {
        service.refuses_quota =
            refusal{refusal_kind::too_many_requests, "Enough.", std::chrono::seconds{3'600}};
        auto const answer = ask(with_token("limited", issue_line));
        CHECK(answer.status == 429);
        CHECK(retry_after(answer) >= 3'600);
        CHECK(service.issued.empty());
        CHECK(ask(with_token("limited")).status == 200);
        CHECK(ask(with_token("all", issue_line)).status == 201);
        CHECK(service.quota_taken.empty());
    }

    TEST_CASE_FIXTURE(limited_fixture, "a replay and a refusal give their share back")
    {
        CHECK(ask(with_token("limited", issue_line)).status == 201);
        CHECK(service.quota_given_back.empty());
        CHECK(ask(with_token("limited", issue_line)).field("idempotency-replayed") == "true");
        CHECK(service.quota_given_back.size() == 1);
        service.refuses = refusal{refusal_kind::series_paused, "paused"};
        CHECK(ask(with_token("limited", issue_line)).status == 409);
        CHECK(service.quota_given_back.size() == 2);
        service.refuses = refusal{refusal_kind::outcome_unknown, "who knows"};
        CHECK(ask(with_token("limited", issue_line)).status == 503);
        CHECK(service.quota_given_back.size() == 2);
        CHECK(service.quota_taken.size() == 4);
    }

    TEST_CASE_FIXTURE(strict_fixture, "after too many bad tokens the next is told to wait")
    {
        service.remembers = false;
        for (int n = 0; n < 2; ++n)
            CHECK(ask(with_token("bad-" + std::to_string(n))).status == 401);
        auto const blocked = ask(with_token("bad"));
        CHECK(blocked.status == 429);
        CHECK(blocked.problem() == "too-many-requests");
        CHECK(blocked.field("www-authenticate").empty());
        auto const wait = retry_after(blocked);
        CHECK(wait >= 1);
        CHECK(wait <= 33);  // a tenth more, so that not all come back at once
        // A good one still works, known or not; none at all was never a guess.
        CHECK(ask(with_token("all")).status == 200);
        service.remembers = true;
        CHECK(ask(with_token("all")).status == 200);
        CHECK(ask("GET /v1/series HTTP/1.1\r\nHost: a\r\n\r\n").status == 401);
    }
}

}  // namespace token_limits_test
