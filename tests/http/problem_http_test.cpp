#include "http/accept_field.hpp"
#include "http/problem.hpp"

#include <doctest/doctest.h>

#include <set>

namespace problem_test {

using namespace gapless;

constexpr auto last_kind = static_cast<int>(refusal_kind::outcome_unknown);

TEST_SUITE("http/problem_http")
{
    TEST_CASE("every kind of refusal has a document and a status line")
    {
        problem_writer problems;
        for (int n = 1; n <= last_kind; ++n)
        {
            auto const kind = static_cast<refusal_kind>(n);
            answer given;
            problems.write(given, refusal{kind, ""});
            CAPTURE(given.body);
            CHECK_FALSE(tell(title_of(kind), language::german).is_foreign);
            CHECK(given.status == status_of(kind));
            CHECK(given.status >= 400);
            CHECK(given.status <= 503);
            CHECK(given.content_type == "application/problem+json");
            CHECK(given.body.find("detail") == std::string::npos);
            CHECK(
                given.body.ends_with(R"("executed":"unknown"})") ==
                (kind == refusal_kind::outcome_unknown)
            );
            CHECK(given.asks_for_token == (kind == refusal_kind::unauthenticated));
            std::string head;
            append_head(head, given, connection_header::none);
            CHECK(head.starts_with("HTTP/1.1 " + std::to_string(given.status) + ' '));
        }
        CHECK(status_of(refusal_kind::idempotency_key_reused) == 422);
    }

    TEST_CASE("a problem is told in the language that is wanted most, and says where it is not")
    {
        struct
        {
            std::string_view accept;
            language wanted;
        } const rows[]{
            {"", language::english},
            {"*", language::english},
            {"fr", language::english},
            {"de", language::german},
            {"DE-at", language::german},
            {"fr, de;q=0.5", language::german},
            {"de;q=0.5, en;q=0.8", language::english},
            {"en, de", language::english},
            {"de, en", language::german},
            {"de;q=0", language::english},
            {"den", language::english}};
        for (auto const& row : rows)
        {
            CAPTURE(row.accept);
            CHECK(language_in(row.accept) == row.wanted);
        }
        problem_writer problems;
        answer given;
        auto const body = [&](refusal const& why) {
            problems.write(given, why, language::german);
            return given.body;
        };
        refusal why{refusal_kind::not_found, "there is no block 4"};
        CHECK(
            body(why) ==
            R"({"type":"/problems/not-found","title":"Das gibt es nicht","status":404,)"
            R"("detail":"Es gibt keinen Block 4.","executed":"no"})"
        );
        why = {refusal_kind::confirmation_needed, "odd"};
        why.warnings = {{"other-length", "there is no block 5"}};
        why.faults = {{1, 2, "there is no block 6"}, {2, 0, "also odd"}};
        auto const mixed = body(why);
        for (std::string_view const part :
             {R"("detail":"odd","lang":"en",)",
              R"("detail":"Es gibt keinen Block 5."}])",
              R"("what":"Es gibt keinen Block 6."},)",
              R"("what":"also odd","lang":"en"}])"})
            CHECK(mixed.find(part) != mixed.npos);
        problems.write(given, why);
        CHECK(given.body.find("lang") == given.body.npos);
    }

    TEST_CASE("what was written before a problem is gone")
    {
        problem_writer problems;
        answer given;
        given.status = 201;
        given.location = "/somewhere";
        given.replayed = true;
        given.body = "half an ans";
        problems.write(given, refusal{refusal_kind::series_paused, "Paused."});
        CHECK(given.location.empty());
        CHECK_FALSE(given.replayed);
        CHECK(given.body.starts_with(R"({"type":"/problems/series-paused")"));
    }

    TEST_CASE("who asks for a number on lease comes back in a moment")
    {
        problem_writer problems;
        answer given;
        problems.write(given, refusal{refusal_kind::state_conflict, ""});
        CHECK(given.retry_after_seconds == 0);
        problems.write(given, refusal{refusal_kind::on_lease, ""});
        CHECK(given.retry_after_seconds >= 1);
        CHECK(status_of(refusal_kind::on_lease) == 409);
    }

    TEST_CASE("the refused come back after one, two or three seconds")
    {
        problem_writer problems;
        std::set<int> seconds;
        for (int n = 0; n < 200; ++n)
        {
            answer given;
            problems.write(given, refusal{refusal_kind::overloaded, ""});
            seconds.insert(given.retry_after_seconds);
        }
        CHECK(seconds == std::set<int>{1, 2, 3});
    }

    TEST_CASE("who has to wait longer comes back up to a tenth later, and not earlier")
    {
        problem_writer problems;
        std::set<int> seconds;
        for (int n = 0; n < 5'000; ++n)
        {
            answer given;
            problems.write(
                given, refusal{refusal_kind::too_many_requests, "", std::chrono::seconds{600}}
            );
            seconds.insert(given.retry_after_seconds);
        }
        CHECK(*seconds.begin() == 600);
        CHECK(*seconds.rbegin() == 660);
        CHECK(seconds.size() == 61);
    }

    TEST_CASE("faults have types where the contract knows one")
    {
        problem_writer problems;
        auto const type = [&problems](int status) {
            answer given;
            problems.write(given, fault{status, "So."});
            CHECK(given.status == status);
            CHECK(given.body.ends_with(R"("detail":"So.","executed":"no"})"));
            return given.body.substr(9, given.body.find('"', 9) - 9);
        };
        CHECK(type(400) == "/problems/malformed-request");
        CHECK(type(413) == "/problems/too-large");
        CHECK(type(414) == "/problems/too-large");
        CHECK(type(431) == "/problems/too-large");
        CHECK(type(408) == "about:blank");
        CHECK(type(417) == "about:blank");
        answer given;
        problems.write(given, fault{431, "More than {} bytes.", 8'192});
        CHECK(given.body.find("More than 8192 bytes.") != std::string::npos);
    }
}

}  // namespace problem_test
