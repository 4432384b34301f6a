#include "harness/issuing.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

namespace answer_test {

using namespace gapless;
using test::issuing;

struct answers : issuing
{
    answers() { run("select gapless.owner_id('token:shop'), gapless.owner_id('token:stall')"); }

    std::string keep(
        int owner, std::string const& key, std::string const& request, std::string const& body
    )
    {
        return run(
            "select from gapless.answer_keep(" + std::to_string(owner) + ", '" + key +
            "', sha256('" + request + "'), 201, '/v1/x', '" + body + "')"
        );
    }

    std::string find(int owner, std::string const& key, std::string const& request)
    {
        return run(
            "select * from gapless.answer_find(" + std::to_string(owner) + ", '" + key +
            "', sha256('" + request + "'))"
        );
    }
};

TEST_SUITE("postgres/answer_database")
{
    TEST_CASE_FIXTURE(answers, "a kept answer is found again by its key and request")
    {
        CHECK(find(1, "a", "load").empty());
        CHECK(keep(1, "a", "load", "{}").empty());
        CHECK(find(1, "a", "load") == "201|/v1/x|{}");
        CHECK(find(1, "a", "load") == "201|/v1/x|{}");
    }

    TEST_CASE_FIXTURE(answers, "a key spent on another request is refused")
    {
        keep(1, "a", "load", "{}");
        CHECK(find(1, "a", "close") == "refused: idempotency-key-reused");
        CHECK(keep(1, "a", "close", "{}").starts_with("23505"));
        CHECK(find(1, "a", "load") == "201|/v1/x|{}");
    }

    TEST_CASE_FIXTURE(answers, "an answer is kept for a while, then its key is a new one")
    {
        for (auto const* key : {"a", "b", "c", "d"})
            keep(1, key, "load", "{}");
        auto const age = [&](std::string const& key, std::string const& by) {
            run("update gapless.answered_request set answered_at = now() - interval '" + by +
                "' where key = gapless.key_to_uuid('" + key + "')");
        };
        age("a", "3 days");
        age("b", "25 hours");
        age("c", "26 hours");
        age("d", "23 hours");
        auto const expire = [&] { return run("select gapless.answers_expire('1 day', 2)"); };
        CHECK(expire() == "2");  // the oldest ones
        CHECK(find(1, "a", "load").empty());
        CHECK(find(1, "b", "load") == "201|/v1/x|{}");
        CHECK(find(1, "c", "load").empty());
        CHECK(expire() == "1");
        CHECK(expire() == "0");
        CHECK(find(1, "d", "load") == "201|/v1/x|{}");
        CHECK(keep(1, "a", "close", "{}").empty());
        CHECK(find(1, "a", "close") == "201|/v1/x|{}");
    }

    TEST_CASE_FIXTURE(answers, "expiring waits for no answer that somebody holds")
    {
        keep(1, "a", "load", "{}");
        keep(1, "b", "load", "{}");
        run("update gapless.answered_request set answered_at = now() - interval '2 days'");
        pqxx::connection other{url()};
        pqxx::work holding{other};
        execute(
            holding,
            "select from gapless.answered_request where key = gapless.key_to_uuid('a') "
            "for update"
        );
        CHECK(run("select gapless.answers_expire('1 day', 10)") == "1");
        CHECK(find(1, "a", "load") == "201|/v1/x|{}");
    }

    TEST_CASE_FIXTURE(answers, "a key spent on issuing is refused")
    {
        create_series("s", {{100, 109}});
        issue("s", {"a", 1, "", false, 1});
        CHECK(find(1, "a", "load") == "refused: idempotency-key-reused");
        CHECK(find(2, "a", "load").empty());
    }

    TEST_CASE_FIXTURE(answers, "keys are scoped by owner, and nobody sees another's answer")
    {
        keep(1, "a", "load", "{}");
        CHECK(find(2, "a", "load").empty());
        CHECK(keep(2, "a", "load", "[]").empty());
        CHECK(find(1, "a", "load") == "201|/v1/x|{}");
        CHECK(find(2, "a", "load") == "201|/v1/x|[]");
    }

    TEST_CASE_FIXTURE(answers, "a key that cannot be is refused")
    {
        CHECK(find(1, "", "load") == "refused: malformed-request");
        CHECK(keep(1, std::string(256, 'k'), "load", "{}") == "refused: malformed-request");
    }
}

}  // namespace answer_test
