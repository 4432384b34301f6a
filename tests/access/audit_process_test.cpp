#include "harness/json_value.hpp"
#include "harness/service_bench.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

namespace audit_test {

using namespace gapless::test;

/// A series "s" with the blocks 1 (100-199), 2 (500-599) and 3 (700-799), to do things to.
struct audit_bench : database_bench
{
    audit_bench() { create_series("s", {{100, 199}, {500, 599}, {700, 799}}); }

    /// The rows of the audit log since the last call: actor, action, subject, the settings before
    /// and after (shortened to the given ones), whether a token and a request are named.
    std::string rows(std::string const& shown = "null")
    {
        auto const seen =
            run("select case when actor like 'cli:%' then 'cli' else actor end, action, subject, "
                "before is not null, after is not null, coalesce(token_id::text, 'none'), "
                "request_id is not null, " +
                shown + " from gapless.audit_log where audit_id > " + last_ + " order by audit_id");
        last_ = run("select coalesce(max(audit_id), 0) from gapless.audit_log");
        return seen;
    }

    /// What `gapless` says, with these words.
    std::string gapless(std::vector<std::string> words) { return gapless(words, url(), 0); }

    std::string gapless(std::vector<std::string> words, std::string const& where, int code)
    {
        words.insert(words.begin(), program_path("gapless"));
        words.insert(words.end(), {"--yes", "-o", "json"});
        auto const end =
            run_program({.words = words, .environment = {{"GAPLESS_DATABASE_URL", where}}});
        INFO(end.err);
        CHECK(end.code == code);
        return end.out;
    }

    std::string request_id() { return run("select max(request_id) from gapless.audit_log"); }

private:
    std::string last_{"0"};
};

struct http_audit_bench : audit_bench
{
    http_audit_bench()
    {
        start_instances(1, {"--access-log"});
        who_ = create_token("anna");
        rows();
    }

    int ask(
        std::string const& method,
        std::string const& target,
        std::string const& body,
        std::string const& key = {}
    )
    {
        http_request wanted{
            .method = method,
            .target = target,
            .fields =
                {{"Authorization", "Bearer " + who_.token}, {"Content-Type", "application/json"}},
            .body = body};
        if (!key.empty())
            wanted.fields.emplace_back("Idempotency-Key", key);
        http_client asking{instance(0).address()};
        auto const got = asking.exchange(wanted).answer;
        return got ? got->status : 0;
    }

private:
    credential who_;
};

TEST_SUITE("access/audit_process")
{
    TEST_CASE_FIXTURE(http_audit_bench, "each act over HTTP leaves one row that names its request")
    {
        auto const changed = "before ->> 'paused', after ->> 'paused'";
        CHECK(ask("POST", "/v1/series", R"({"name":"new","carrier":"c"})") == 201);
        CHECK(rows() == "token:anna|series.create|new|f|t|1|t|null");
        CHECK(ask("PATCH", "/v1/series/s", R"({"paused":true})") == 200);
        CHECK(rows(changed) == "token:anna|series.change|s|t|t|1|t|false|true");
        CHECK(ask("PATCH", "/v1/series/s", R"({"paused":false,"low_water":"7"})") == 200);
        CHECK(
            rows("before ->> 'low_water', after ->> 'low_water'") ==
            "token:anna|series.change|s|t|t|1|t|null|7"
        );
        CHECK(ask("POST", "/v1/series/s/blocks", R"({"first":"800","last":"899"})") == 201);
        CHECK(
            rows("after ->> 'first', after ->> 'last'") ==
            "token:anna|block.load|s/4|f|t|1|t|800|899"
        );
        CHECK(ask("POST", "/v1/formats", R"({"name":"own","number":"{n:*}"})") == 201);
        CHECK(rows() == "token:anna|format.declare|own|f|t|1|t|null");

        // The id is the one in the log.
        auto const id = request_id();
        CHECK(instance(0).stop() == 0);
        CHECK(instance(0).log().find("\"request_id\":\"" + id + '"') != std::string::npos);
    }

    TEST_CASE_FIXTURE(
        http_audit_bench, "what changed nothing leaves no row" * doctest::test_suite("night")
    )
    {
        CHECK(ask("POST", "/v1/series", R"({"name":"s","carrier":"c"})") == 409);
        CHECK(ask("PATCH", "/v1/series/s", R"({"paused":"so"})") == 400);
        CHECK(ask("POST", "/v1/series/s/blocks", R"({"first":"150","last":"899"})") == 409);
        CHECK(
            ask("POST", "/v1/series/s/blocks?dry_run=true", R"({"first":"800","last":"899"})") < 300
        );
        CHECK(rows() == "");
        auto const load = [this] {
            return ask("POST", "/v1/series/s/blocks", R"({"first":"800","last":"899"})", "k");
        };
        CHECK(load() == 201);
        CHECK(rows() == "token:anna|block.load|s/4|f|t|1|t|null");
        CHECK(load() == 201);
        CHECK(rows() == "");
    }

    TEST_CASE_FIXTURE(audit_bench, "each act at the command line leaves one row with its user")
    {
        rows();
        gapless({"series", "set", "s", "--low-water", "7"});
        CHECK(
            rows("before ->> 'low_water', after ->> 'low_water'") ==
            "cli|series.change|s|t|t|none|f|null|7"
        );
        gapless({"block", "load", "s", "800", "899"});
        CHECK(rows("after ->> 'first'") == "cli|block.load|s/4|f|t|none|f|800");
        gapless({"block", "close", "4", "--reason", "lost"});
        CHECK(
            rows("before ->> 'state', after ->> 'state', after ->> 'reason'") ==
            "cli|block.close|4|t|t|none|f|queued|closed|lost"
        );

        gapless({"token", "create", "--name", "bert", "--scope", "read", "--daily-quota", "9"});
        CHECK(
            rows("after ->> 'name', after ->> 'daily_quota'") ==
            "cli|token.create|1|f|t|none|f|bert|9"
        );
    }

    TEST_CASE_FIXTURE(audit_bench, "what people decide about numbers is a row for each block")
    {
        run("select from gapless.issue('s', 102)");
        run("select gapless.block_close(2, 'over', 'me')");
        run("select from gapless.issue('s', 3)");
        rows();
        auto const event = [&](std::string const& kind, std::string const& numbers) {
            run("select gapless.note_event(1, '" + kind + "', '" + numbers +
                "', 'me', 'torn', false)");
            return rows("after ->> 'first', after ->> 'last', after ->> 'numbers', after ->> "
                        "'reason'");
        };
        CHECK(event("printed", "{[1,90)}") == "");  // in its history alone
        CHECK(
            event("voided", "{[1,2),[98,105)}") ==
            "sql:me|number.voided|s/1|f|t|none|f|100|199|4|torn "
            "sql:me|number.voided|s/2|f|t|none|f|500|501|2|torn "
            "sql:me|number.voided|s/3|f|t|none|f|700|701|2|torn"
        );
        CHECK(event("voided", "{[1,2)}") == "");  // it was before
        CHECK(
            event("returned", "{[5,6)}") == "sql:me|number.returned|s/1|f|t|none|f|104|104|1|torn"
        );

        gapless({"number", "void", "110", "--reason", "torn"});
        CHECK(rows("after ->> 'first'") == "cli|number.voided|s/1|f|t|none|f|110");
    }
}

}  // namespace audit_test
