#include "abuse/route_expectations.hpp"
#include "app/routes.hpp"
#include "harness/http_fixture.hpp"

#include <boost/beast/http/verb.hpp>
#include <doctest/doctest.h>

#include <algorithm>

namespace operation_handlers_test {

using namespace gapless;
using namespace gapless::test;
using authorization::expectation;
using authorization::expectations;

/// What HTTP makes of an operation, whichever it is. A new one is tested here without a line.
struct operations_fixture : http_fixture
{
    /// Calls use(route) for every route that is an operation.
    template <class Use>
    static void for_each_operation(Use use)
    {
        std::size_t count = 0;
        for (auto const& row : routes())
            if (row.does)
            {
                CAPTURE(row.pattern);
                use(row);
                ++count;
            }
        CHECK(count > 0);
    }

    static bool takes_body(route const& row) { return row.body != body_size::none; }

    static std::string verb_of(route const& row)
    {
        auto const name = boost::beast::http::to_string(row.verb);
        return {name.data(), name.size()};
    }

    /// "POST /v1/webhooks/1/rotate"
    static std::string line_of(route const& row, std::string_view id = "1")
    {
        auto const place = [&](std::string_view name) {
            return std::optional{std::string{
                name == "series" ? "dhl-paket"
                : name == "date" ? "2026-11-20"
                                 : id}};
        };
        return verb_of(row) + ' ' + fill_in(row.pattern, place);
    }

    /// A body that the operation accepts; empty: it takes none.
    static std::string body_of(route const& row)
    {
        auto const of = [&](expectation const& each) {
            return each.route == verb_of(row) + ' ' + std::string{row.pattern};
        };
        auto const found = std::ranges::find_if(expectations, of);
        return takes_body(row) ? std::string{found->body} : std::string{};
    }

    raw_answer ask_for(route const& row, std::string const& lines = {})
    {
        return ask(line_of(row), lines, body_of(row));
    }
};

TEST_SUITE("http/operation_handlers_http")
{
    TEST_CASE_FIXTURE(operations_fixture, "what cannot be an id is not found, whatever the body")
    {
        for_each_operation([this](route const& row) {
            auto const in_path = row.does->input->fields.first(row.does->path_fields());
            if (in_path.empty() || (in_path.back().accepts & takes_digits) == 0)
                return;
            for (std::string_view const id : {"0", "02", "x", "-1", "2147483648", "2x", "%31x"})
            {
                CAPTURE(id);
                auto const answer =
                    ask(line_of(row, id), "", takes_body(row) ? R"({"nonsense":1})" : "");
                CHECK(answer.outcome() == "404 not-found");
                auto const where = row.has_series() ? "Series dhl-paket has" : "There is";
                auto const noun = std::string{row.of->noun};
                CHECK(
                    answer.body.find(where + (" no " + noun) + " of this id.") != std::string::npos
                );
            }
        });
        CHECK(service.operations.empty());
    }

    TEST_CASE_FIXTURE(operations_fixture, "what an operation does not know is refused")
    {
        for_each_operation([this](route const& row) {
            CHECK(
                ask(line_of(row) + "?nonsense=1", "", body_of(row)).outcome() ==
                "400 malformed-request"
            );
            if (!takes_body(row))
                return;
            auto const answer = ask(line_of(row), "", R"({"nonsense":1})");
            CHECK(answer.outcome() == "400 malformed-request");
            CHECK(answer.body.find(R"(The field \"nonsense\" is unknown: )") != std::string::npos);
            CHECK(
                ask(request(line_of(row), "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}")
                )
                    .outcome() == "415 unsupported-media-type"
            );
        });
        CHECK(service.operations.empty());
    }

    TEST_CASE_FIXTURE(operations_fixture, "a field is given once, in a body or in a query")
    {
        for_each_operation([this](route const& row) {
            auto const fields = row.does->input->fields.subspan(row.does->path_fields());
            for (auto const& field : fields)
            {
                CAPTURE(field.name);
                auto const name = std::string{field.name};
                auto const once = takes_body(row) ? '"' + name + R"(":null)" : name + "=1";
                auto const answer = takes_body(row)
                                        ? ask(line_of(row), "", '{' + once + ',' + once + '}')
                                        : ask(line_of(row) + '?' + once + '&' + once, "");
                auto const stays = field.kept && (field.accepts & takes_null) == 0;
                auto const removes = takes_body(row) && stays;  // the first null is one too many
                CHECK(answer.outcome() == (removes ? "422 out-of-range" : "400 malformed-request"));
                if (!removes && name != "if_match")  // which is a header field
                    CHECK(answer.body.find("twice") != std::string::npos);
            }
        });
        CHECK(service.operations.empty());
    }

    TEST_CASE_FIXTURE(operations_fixture, "a change is done under its key, but for a DELETE")
    {
        for_each_operation([this](route const& row) {
            service.identities.clear();
            ask_for(row, "Idempotency-Key: \"a \\\"key\\\"\"\r\n");
            REQUIRE(service.identities.size() == (row.does->changes ? 1 : 0));
            if (!row.does->changes)
                return;
            REQUIRE(service.identities[0].has_value() == takes_body(row));
            if (!takes_body(row))
                return;
            CHECK(service.identities[0]->key == *read_idempotency_key("\"a \\\"key\\\"\""));
            CHECK(
                ask_for(row, "Idempotency-Key: " + std::string(300, 'k') + "\r\n").outcome() ==
                "400 malformed-request"
            );
        });
    }

    TEST_CASE_FIXTURE(operations_fixture, "a change that is repeated is not done again")
    {
        auto const patch = [this] {
            return ask(
                "PATCH /v1/series/dhl-paket", "Idempotency-Key: k\r\n", R"({"paused":true})"
            );
        };
        auto const first = patch();
        CHECK(first.field("etag") == "\"7\"");
        CHECK(first.field("idempotency-replayed").empty());
        auto const again = patch();
        CHECK(again.field("idempotency-replayed") == "true");
        CHECK(again.text() == first.text());
        CHECK(again.field("etag").empty());  // it may have another version by now
    }

    TEST_CASE_FIXTURE(operations_fixture, "If-Match is one ETag as it was answered, or *")
    {
        auto const patch = [this](std::string_view tag) {
            auto const lines = "If-Match: " + std::string{tag} + "\r\n";
            return ask("PATCH /v1/series/dhl-paket", lines, R"({"paused":true})").outcome();
        };
        CHECK(patch("\"7\"") == "200 ");
        CHECK(patch("*") == "200 ");
        for (std::string_view const tag : {"W/\"9\"", "\"x\"", "\"99999999999999999999\""})
            CHECK(patch(tag) == "412 precondition-failed");
        for (std::string_view const tag : {"9", "\"9\", \"8\"", ""})
            CHECK(patch(tag) == "400 malformed-request");
    }

    TEST_CASE_FIXTURE(
        operations_fixture, "a URL that the service would not call is refused before it is kept"
    )
    {
        for_each_operation([this](route const& row) {
            if (!row.does->calls)
                return;
            service.checked_urls.clear();
            service.refuses_url.reset();
            CHECK(ask_for(row).status == row.does->status);
            REQUIRE(service.checked_urls.size() == 1);
            service.refuses_url = refusal{refusal_kind::out_of_range, "is private"};
            service.operations.clear();
            auto const answer = ask_for(row);
            CHECK(answer.outcome() == "422 out-of-range");
            CHECK(answer.body.find("is private") != std::string::npos);
            CHECK(service.operations.empty());
        });
    }

    TEST_CASE_FIXTURE(operations_fixture, "pages of a list have limits")
    {
        for_each_operation([this](route const& row) {
            if (!row.does->answer->is_list)
                return;
            CHECK(ask(line_of(row) + "?limit=1000", "").status == 200);
            CHECK(ask(line_of(row) + "?limit=0", "").outcome() == "422 out-of-range");
            CHECK(ask(line_of(row) + "?limit=1001", "").outcome() == "422 out-of-range");
            CHECK(ask(line_of(row) + "?limit=", "").outcome() == "400 malformed-request");
            CHECK(ask(line_of(row) + "?limit=1x", "").outcome() == "400 malformed-request");
        });
    }

    TEST_CASE_FIXTURE(operations_fixture, "what an operation refuses is the answer")
    {
        service.refuses = refusal{refusal_kind::forbidden, "beyond"};
        for_each_operation([this](route const& row) {
            CHECK(ask_for(row).outcome() == "403 forbidden");
        });
    }

    TEST_CASE_FIXTURE(
        operations_fixture, "a read does not tell a series that is missing from one of others"
    )
    {
        service.refuses = refusal{refusal_kind::unknown_series, "there is no series 'none'"};
        for_each_operation([this](route const& row) {
            if (row.does->changes)
                return;
            auto const answer = ask_for(row);
            CHECK(answer.outcome() == "404 unknown-series");
            CHECK(answer.body.find("'none'") == std::string::npos);
        });
    }
}

}  // namespace operation_handlers_test
