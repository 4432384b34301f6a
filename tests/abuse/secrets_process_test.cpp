#include "harness/service_bench.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

namespace secrets_test {

using namespace gapless;
using namespace gapless::test;
using namespace std::chrono_literals;

std::string read_file(std::string const& path)
{
    std::ifstream in{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

/// One instance that logs every request, and everything it ever said.
struct secrets_bench : database_bench
{
    secrets_bench()
    {
        create_series("s", {{100, 99'999}});
        start_instances(1, {"--access-log", "--log-level", "debug"});
        good_ = create_token("good").token;
        reading_ = create_token("reading", {.scopes = {"read"}}).token;
        revoked_ = create_token("revoked").token;
        run("select gapless.token_revoke(3, 'test')");
    }

    /// The status of the answer, which is kept.
    int ask(
        std::string const& method,
        std::string const& target,
        std::string const& token,
        std::string const& body = {},
        std::vector<std::pair<std::string, std::string>> more = {}
    )
    {
        http_request wanted{
            .method = method, .target = target, .fields = std::move(more), .body = body};
        if (!token.empty())
            wanted.fields.emplace_back("Authorization", "Bearer " + token);
        if (!body.empty())
            wanted.fields.emplace_back("Content-Type", "application/json");
        if (method == "POST")
            wanted.fields.emplace_back("Idempotency-Key", "k" + std::to_string(++keys_));
        http_client asking{instance(0).address()};
        auto const got = asking.exchange(wanted).answer;
        if (!got)
            return 0;
        for (auto const& [name, value] : got->fields)
            said_ += name + ": " + value + "\n";
        said_ += got->body + "\n";
        return got->status;
    }

    int issue(std::string const& token, std::string const& body = "{}")
    {
        return ask("POST", "/v1/series/s/numbers", token, body);
    }

    /// Which of the secrets, in whole or without id and checksum, stand in the text.
    std::string found_in(std::string const& text) const
    {
        std::string found;
        for (auto const& token : {good_, reading_, revoked_})
            if (text.find(token.substr(token.rfind('_') + 1, 43)) != std::string::npos)
                found += token.substr(0, token.rfind('_')) + " ";
        return found;
    }

    std::string good_;
    std::string reading_;
    std::string revoked_;
    std::string said_;  // every answer

private:
    int keys_{};
};

TEST_SUITE("abuse/secrets_process")
{
    TEST_CASE_FIXTURE(secrets_bench, "no token stands in logs, answers, metrics or command lines")
    {
        CHECK(issue(good_) == 201);
        CHECK(issue(good_, "{not json") == 400);
        CHECK(issue(good_, R"({"token":")" + good_ + R"("})") == 400);
        CHECK(issue(good_, R"({"count":0})") == 422);
        CHECK(issue(reading_) == 403);
        CHECK(issue(revoked_) == 401);
        CHECK(issue(revoked_ + "x") == 401);
        CHECK(ask("GET", "/v1/nothing", good_) == 404);
        CHECK(ask("GET", "/v1/series/" + good_, good_) == 404);
        CHECK(
            ask("GET", "/v1/series", good_, "", {{"Authorization", "Bearer " + reading_}}) == 400
        );
        CHECK(ask("GET", "/v1/series", "", "", {{"Authorization", "Basic " + good_}}) == 401);

        // The database fails under the service, then it is gone.
        run("alter function gapless.series_report(text, text[]) rename to series_report_gone");
        CHECK(ask("GET", "/v1/series/s", good_) >= 500);
        run("alter function gapless.series_report_gone(text) rename to series_report");
        CHECK(said_.find("ERROR:") == std::string::npos);
        CHECK(said_.find("series_report") == std::string::npos);
        pqxx::connection server{server_url()};
        test::run(server, "alter database " + name() + " allow_connections false");
        test::run(
            server,
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + name() +
                "'"
        );
        CHECK(ask("GET", "/v1/series", good_) == 503);
        CHECK(issue(good_) == 503);
        CHECK(ask("GET", "/metrics", "") == 200);

        auto const words = read_file("/proc/" + std::to_string(instance(0).id()) + "/cmdline") +
                           read_file("/proc/" + std::to_string(instance(0).id()) + "/environ");
        CHECK(words.find("gaplessd") != std::string::npos);
        CHECK(found_in(words) == "");
        CHECK(instance(0).stop() == 0);
        CHECK(instance(0).log().find(R"("event":"request")") != std::string::npos);
        CHECK(found_in(instance(0).log()) == "");
        CHECK(said_.find("unauthenticated") != std::string::npos);
        CHECK(found_in(said_) == "");
        CHECK(found_in(good_) != "");  // it would be found
    }

    TEST_CASE_FIXTURE(secrets_bench, "a token in the URL is refused, also next to a good header")
    {
        for (std::string const name : {"token", "access_token", "api_key", "bearer_token"})
            for (auto const& header : {std::string{}, good_})
            {
                CAPTURE(name);
                auto const query = "?" + name + "=" + good_;
                CHECK(ask("GET", "/v1/series" + query, header) == 400);
                CHECK(ask("POST", "/v1/series/s/numbers" + query, header, "{}") == 400);
                CHECK(ask("GET", "/v1/series/s/numbers/100/barcode.svg" + query, header) >= 400);
            }
        CHECK(found_in(said_) == "");
        CHECK(instance(0).stop() == 0);
        CHECK(found_in(instance(0).log()) == "");
    }
}

}  // namespace secrets_test
