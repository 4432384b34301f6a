#include "http/http_fixture.hpp"

#include <doctest/doctest.h>

namespace token_handlers_test {

using namespace gapless;
using namespace gapless::test;

std::string outcome(raw_answer const& answer)
{
    return std::to_string(answer.status) + ' ' + answer.problem();
}

constexpr database_time the_moment{std::chrono::microseconds{1'795'212'311'123'456}};

struct access_fixture : http_fixture
{
    access_fixture()
    {
        for (std::int32_t id = 1; id <= 3; ++id)
            service.token_records.push_back(
                {.token_id = id,
                 .owner_id = id,
                 .name = "t" + std::to_string(id),
                 .scopes = {"read"},
                 .series = std::nullopt,
                 .expires_at = std::nullopt,
                 .created_at = the_moment,
                 .revoked_at = std::nullopt,
                 .in_force = true}
            );
    }

    std::string post(std::string_view body) { return outcome(ask("POST /v1/tokens", "", body)); }
};

TEST_SUITE("http/token_handlers")
{
    TEST_CASE_FIXTURE(access_fixture, "tokens are listed by id, in pages, without secrets")
    {
        CHECK(
            ask(request("GET /v1/tokens?limit=1")).text() ==
            R"(200 {"items":[{"id":"1","name":"t1","scopes":["read"],"series":null,)"
            R"("expires_at":null,"rate":null,"burst":null,"daily_quota":null,)"
            R"("created_at":"2026-11-20T22:05:11.123456Z","revoked_at":null,"state":"in force"}],)"
            R"("next":"1"})"
        );
        CHECK(ask(request("GET /v1/tokens?after=2&limit=1")).body.ends_with(R"("next":null})"));
        CHECK(outcome(ask(request("GET /v1/tokens?limit=0"))) == "422 out-of-range");
        CHECK(outcome(ask(request("GET /v1/tokens?limit=1001"))) == "422 out-of-range");
    }

    TEST_CASE_FIXTURE(access_fixture, "a token is created with what it is to allow, and shown once")
    {
        auto const answer =
            ask("POST /v1/tokens",
                "",
                R"({"name":"office","scopes":["read","load","read"],"series":["dhl-paket"],)"
                R"("expires_at":"2099-12-31","rate":5,"burst":"10","daily_quota":0})");
        CHECK(answer.status == 201);
        CHECK(answer.field("location") == "/v1/tokens/17");
        CHECK(
            answer.body ==
            R"({"id":"17","name":"office","scopes":["read","load"],"series":["dhl-paket"],)"
            R"("expires_at":"2099-12-31T23:59:59.999999Z","rate":"5","burst":"10",)"
            R"("daily_quota":"0","created_at":"2026-11-20T22:05:11.123456Z","revoked_at":null,)"
            R"("state":"in force","token":"gapless_17_secret"})"
        );
        CHECK(service.actors.back() == "token:all");
        CHECK(
            post(R"({"name":"x","scopes":["read"],"series":null,"expires_at":null,"rate":null})") ==
            "201 "
        );
        CHECK_FALSE(service.token_drafts.back().series);
        CHECK_FALSE(service.token_drafts.back().expires_at);
    }

    TEST_CASE_FIXTURE(access_fixture, "what a token cannot be is refused, and says the field")
    {
        CHECK(post("{}") == "400 malformed-request");
        CHECK(post(R"({"name":"x"})") == "400 malformed-request");
        CHECK(post(R"({"scopes":["read"]})") == "400 malformed-request");
        CHECK(post(R"({"name":"x","scopes":null})") == "400 malformed-request");
        CHECK(post(R"({"name":"x","scopes":"read"})") == "400 malformed-request");
        CHECK(post(R"({"name":"x","scopes":["read"],"token":"t"})") == "400 malformed-request");
        CHECK(
            post(R"({"name":"x","scopes":["read"],"expires_at":"soon"})") == "400 malformed-request"
        );
        CHECK(
            post(R"({"name":"x","scopes":["read"],"expires_at":"9999-12-31T23:30:00-01:00"})") ==
            "422 out-of-range"
        );
        CHECK(
            post(R"({"name":"x","scopes":["read"],"expires_at":"0000-12-31"})") ==
            "422 out-of-range"
        );
        for (std::string_view const more :
             {R"("name":"","scopes":["read"])",
              R"("name":"x","scopes":[])",
              R"("name":"x","scopes":["root"])",
              R"("name":"x","scopes":["read"],"series":[])",
              R"("name":"x","scopes":["read"],"expires_at":"2001-01-01")",
              R"("name":"x","scopes":["read"],"rate":1000001)",
              R"("name":"x","scopes":["read"],"rate":5,"burst":0)",
              R"("name":"x","scopes":["read"],"burst":5)",
              R"("name":"x","scopes":["read"],"daily_quota":"1000000000001")"})
        {
            CAPTURE(more);
            CHECK(post("{" + std::string{more} + "}") == "422 out-of-range");
        }
        CHECK(
            post(R"({"name":")" + std::string(101, 'x') + R"(","scopes":["read"]})") ==
            "422 out-of-range"
        );
        CHECK(post(R"({"name":")" + std::string(100, 'x') + R"(","scopes":["read"]})") == "201 ");
        CHECK(service.token_drafts.size() == 1);
    }

    TEST_CASE_FIXTURE(access_fixture, "a token that was taken out of force is forgotten at once")
    {
        auto const answer = ask(request("DELETE /v1/tokens/17"));
        CHECK(answer.status == 204);
        CHECK(answer.body.empty());
        CHECK(service.revoked == std::vector<std::int32_t>{17});
        CHECK(service.forgotten == std::vector<std::int32_t>{17});
        for (std::string_view const id : {"0", "017", "x", "-1", "2147483648", "1x"})
            CHECK(outcome(ask(request("DELETE /v1/tokens/" + std::string{id}))) == "404 not-found");
        service.refuses = refusal{refusal_kind::forbidden, "beyond"};
        CHECK(outcome(ask(request("DELETE /v1/tokens/18"))) == "403 forbidden");
        CHECK(service.forgotten.size() == 1);
    }
}

}  // namespace token_handlers_test
