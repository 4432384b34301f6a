#include "http/http_fixture.hpp"

#include <doctest/doctest.h>

namespace webhook_handlers_test {

using namespace gapless;
using namespace gapless::test;

std::string outcome(raw_answer const& answer)
{
    return std::to_string(answer.status) + ' ' + answer.problem();
}

constexpr database_time the_moment{std::chrono::microseconds{1'795'212'311'123'456}};

struct webhook_fixture : http_fixture
{
    webhook_fixture()
    {
        for (std::int32_t id = 1; id <= 3; ++id)
        {
            auto& webhook = service.webhooks.emplace_back();
            webhook.webhook_id = id;
            webhook.url = "https://receiver.example/" + std::to_string(id);
            webhook.state = "active";
            webhook.created_at = the_moment;
            webhook.created_by = "cli:anna";
        }
        auto& failing = service.webhooks[1];
        failing.kinds = {{"series.low", "fence.raised"}};
        failing.series = {{"dhl-paket"}};
        failing.state = "failing";
        failing.pending = 12;
        failing.last_error = "it answered 500";
        failing.next_attempt_at = the_moment;
        failing.last_delivered_at = the_moment;
        failing.old_secret_until = the_moment;
        failing.environment = "production";
    }

    std::string post(std::string_view body) { return outcome(ask("POST /v1/webhooks", "", body)); }
};

constexpr std::string_view first_webhook{
    R"({"id":"1","url":"https://receiver.example/1","kinds":null,"series":null,"state":"active",)"
    R"("pending":"0","last_error":null,"next_attempt_at":null,"last_delivered_at":null,)"
    R"("old_secret_until":null,"environment":null,"created_at":"2026-11-20T22:05:11.123456Z",)"
    R"("created_by":"cli:anna"})"};

constexpr std::string_view second_webhook{
    R"({"id":"2","url":"https://receiver.example/2","kinds":["series.low","fence.raised"],)"
    R"("series":["dhl-paket"],"state":"failing","pending":"12","last_error":"it answered 500",)"
    R"("next_attempt_at":"2026-11-20T22:05:11.123456Z",)"
    R"("last_delivered_at":"2026-11-20T22:05:11.123456Z",)"
    R"("old_secret_until":"2026-11-20T22:05:11.123456Z","environment":"production",)"
    R"("created_at":"2026-11-20T22:05:11.123456Z","created_by":"cli:anna"})"};

/// A webhook with a secret behind.
std::string with_secret(std::string_view webhook, std::string const& secret)
{
    return std::string{webhook.substr(0, webhook.size() - 1)} + R"(,"secret":")" + secret + "\"}";
}

TEST_SUITE("http/webhook_handlers")
{
    TEST_CASE_FIXTURE(webhook_fixture, "webhooks are listed by id, in pages, without secrets")
    {
        CHECK(
            ask(request("GET /v1/webhooks?limit=2")).text() ==
            R"(200 {"items":[)" + std::string{first_webhook} + ',' + std::string{second_webhook} +
                R"(],"next":"2"})"
        );
        CHECK(ask(request("GET /v1/webhooks?after=2&limit=1")).body.ends_with(R"("next":null})"));
        CHECK(outcome(ask(request("GET /v1/webhooks?limit=0"))) == "422 out-of-range");
        CHECK(outcome(ask(request("GET /v1/webhooks?state=dead"))) == "400 malformed-request");
    }

    TEST_CASE_FIXTURE(webhook_fixture, "one webhook is read by its id, others are not there")
    {
        CHECK(ask(request("GET /v1/webhooks/2")).text() == "200 " + std::string{second_webhook});
        for (std::string_view const id : {"4", "0", "02", "x", "-1", "2147483648", "2x"})
            CHECK(outcome(ask(request("GET /v1/webhooks/" + std::string{id}))) == "404 not-found");
    }

    TEST_CASE_FIXTURE(webhook_fixture, "a webhook is created with its secret, which is shown once")
    {
        auto const answer =
            ask("POST /v1/webhooks",
                "Idempotency-Key: k1\r\n",
                R"({"url":"HTTPS://Receiver.example:8443/in?a=1",)"
                R"("kinds":["series.low","block.opened","series.low"],"series":["dhl-paket"]})");
        CHECK(answer.status == 201);
        CHECK(answer.field("location") == "/v1/webhooks/9");
        CHECK(
            answer.body ==
            R"({"id":"9","url":"https://receiver.example:8443/in?a=1",)"
            R"("kinds":["series.low","block.opened"],"series":["dhl-paket"],"state":"active",)"
            R"("pending":"0","last_error":null,"next_attempt_at":null,"last_delivered_at":null,)"
            R"("old_secret_until":null,"environment":null,)"
            R"("created_at":"2026-11-20T22:05:11.123456Z","created_by":"token:all",)"
            R"("secret":"whsec_c2VjcmV0"})"
        );
        CHECK(service.actors.back() == "token:all");
        REQUIRE(service.checked_urls.size() == 1);
        CHECK(service.checked_urls[0].host == "receiver.example");
        CHECK(service.checked_urls[0].port == 8443);
        CHECK(post(R"({"url":"https://receiver.example/","kinds":null,"series":null})") == "201 ");
        CHECK_FALSE(service.webhook_drafts.back().kinds);
        CHECK_FALSE(service.webhook_drafts.back().series);
    }

    TEST_CASE_FIXTURE(webhook_fixture, "what a webhook cannot be is refused, and says the field")
    {
        CHECK(post("{}") == "400 malformed-request");
        CHECK(post(R"({"url":null})") == "400 malformed-request");
        CHECK(post(R"({"url":5})") == "400 malformed-request");
        CHECK(post(R"({"url":"https://a.example/","kinds":"x"})") == "400 malformed-request");
        CHECK(post(R"({"url":"https://a.example/","secret":"x"})") == "400 malformed-request");
        for (std::string_view const more :
             {R"("url":"")",
              R"("url":"a.example")",
              R"("url":"ftp://a.example/")",
              R"("url":"https://u:p@a.example/")",
              R"("url":"https://a.example/","kinds":[])",
              R"("url":"https://a.example/","kinds":["series.high"])",
              R"("url":"https://a.example/","kinds":["webhook.test"])",
              R"("url":"https://a.example/","series":[])"})
        {
            CAPTURE(more);
            CHECK(post("{" + std::string{more} + "}") == "422 out-of-range");
        }
        CHECK(service.webhook_drafts.empty());
        CHECK(service.checked_urls.empty());
    }

    TEST_CASE_FIXTURE(
        webhook_fixture, "a receiver that may not be called is refused before it is kept"
    )
    {
        service.refuses_url = refusal{refusal_kind::out_of_range, "leads to a private address"};
        auto const answer = ask("POST /v1/webhooks", "", R"({"url":"https://10.0.0.1/"})");
        CHECK(outcome(answer) == "422 out-of-range");
        CHECK(answer.body.find("leads to a private address") != std::string::npos);
        CHECK(service.webhook_drafts.empty());
    }

    TEST_CASE_FIXTURE(
        webhook_fixture, "a new secret is shown once, a retry and a test are accepted"
    )
    {
        CHECK(
            ask("POST /v1/webhooks/1/rotate", "", "{}").text() ==
            "200 " + with_secret(first_webhook, "whsec_bmV3")
        );
        CHECK(
            ask("POST /v1/webhooks/2/retry", "", "{}").text() ==
            "202 " + std::string{second_webhook}
        );
        CHECK(
            ask(request("POST /v1/webhooks/1/test", "Content-Length: 0\r\n")).text() ==
            "202 " + std::string{first_webhook}
        );
        CHECK(service.webhook_acts == std::vector<std::string>{"rotate 1", "retry 2", "test 1"});
        for (std::string const act : {"rotate", "retry", "test"})
        {
            CHECK(outcome(ask("POST /v1/webhooks/4/" + act, "", "{}")) == "404 not-found");
            CHECK(outcome(ask("POST /v1/webhooks/x/" + act, "", "{}")) == "404 not-found");
            CHECK(
                outcome(ask("POST /v1/webhooks/1/" + act, "", R"({"x":1})")) ==
                "400 malformed-request"
            );
        }
    }

    TEST_CASE_FIXTURE(webhook_fixture, "a webhook is deleted once")
    {
        auto const answer = ask(request("DELETE /v1/webhooks/2"));
        CHECK(answer.status == 204);
        CHECK(answer.body.empty());
        CHECK(outcome(ask(request("DELETE /v1/webhooks/2"))) == "404 not-found");
        CHECK(outcome(ask(request("DELETE /v1/webhooks/x"))) == "404 not-found");
        CHECK(service.webhooks.size() == 2);
        service.refuses = refusal{refusal_kind::forbidden, "beyond"};
        CHECK(outcome(ask(request("DELETE /v1/webhooks/1"))) == "403 forbidden");
    }
}

}  // namespace webhook_handlers_test
