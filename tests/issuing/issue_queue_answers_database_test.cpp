#include "issuing/queue_bench.hpp"
#include "postgres/query.hpp"

namespace issue_queue_answers_test {

using namespace gapless;
using namespace std::chrono_literals;
using test::queue_bench;
using test::wish;

/// Answers whole, not as text.
struct answers : queue_bench
{
    struct listener : issue_listener
    {
        explicit listener(std::shared_ptr<std::optional<result<issuance>>> kept)
            : told{std::move(kept)}
        {
        }
        void ended(result<issuance> got) override { *told = std::move(got); }

        std::shared_ptr<std::optional<result<issuance>>> told;
    };

    using answer = std::shared_ptr<std::optional<result<issuance>>>;

    answer ask(wish const& wanted)
    {
        issue_request request;
        request.series_id = series_id();
        request.owner_id = 1;
        request.key = read_idempotency_key(wanted.key).value();
        request.count = wanted.count;
        if (wanted.hold_seconds > 0)
            request.hold_seconds = wanted.hold_seconds;
        auto const told = std::make_shared<std::optional<result<issuance>>>();
        queue().submit(std::move(request), std::make_unique<listener>(told));
        return told;
    }

    issuance wait_for(answer const& told)
    {
        run_until([&] { return told->has_value(); });
        REQUIRE((*told)->has_value());
        return std::move(***told);
    }

    issuance answer_to(wish const& wanted) { return wait_for(ask(wanted)); }
};

/// What an answer says beside its numbers, and what a request leaves in the ledger.
TEST_SUITE("issuing/issue_queue_answers_database")
{
    TEST_CASE_FIXTURE(queue_bench, "it is noted which answers are new")
    {
        std::vector<series_mark> noted;
        watch({.remember = [&](series_mark const& mark) { noted.push_back(mark); }});
        begin({{100, 199}});
        CHECK(issue({{"a"}}) == "100-100");
        CHECK(issue({{"a"}}) == "again 100-100");
        REQUIRE(noted.size() == 2);
        CHECK(noted[0].is_new);
        CHECK_FALSE(noted[1].is_new);
    }

    TEST_CASE_FIXTURE(answers, "a hold is one in the database and in its answers, first and again")
    {
        begin({{100, 199}});
        answer_to({"opens the block"});
        wish const wanted{.key = "a", .count = 2, .hold_seconds = 60};
        auto const first = answer_to(wanted);
        CHECK_FALSE(first.replayed);
        CHECK(first.hold_seconds == 60);
        CHECK(run("select count(*) from gapless.hold") == "1");
        auto const again = answer_to(wanted);
        CHECK(again.replayed);
        CHECK(again.hold_seconds == 60);
        CHECK_FALSE(answer_to({"b"}).hold_seconds);
    }

    TEST_CASE_FIXTURE(answers, "an answer tells when its numbers left, the same each time")
    {
        begin({{100, 199}});
        answer_to({"opens the block"});
        auto const now = std::chrono::system_clock::now();
        auto const first = answer_to({"a"}).issued_at;
        CHECK(first > now - 1h);
        CHECK(first < now + 1h);
        CHECK(answer_to({"a"}).issued_at == first);
    }

    TEST_CASE_FIXTURE(answers, "the ordinals of a batch go on from request to request")
    {
        begin({{100, 199}});
        answer_to({"opens the block"});
        auto const first = ask({"a", 3});
        auto const second = ask({"b"});
        CHECK(wait_for(first).ranges.front().ordinal == 2);
        CHECK(wait_for(second).ranges.front().ordinal == 5);
        CHECK(answer_to({"b"}).ranges.front().ordinal == 5);
    }

    TEST_CASE_FIXTURE(answers, "a reference is kept, whichever way its request leaves")
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        issue({{.key = "a", .reference = "plain"}, {"b"}});
        issue({{.key = "c", .reference = "held", .hold_seconds = 60}, {"d"}});
        issue({{.key = "e", .contiguous = true, .reference = "looked up"}, {"f"}});
        CHECK(
            run("select string_agg(coalesce(reference, 'none'), ', ' order by ordinal) "
                "from gapless.ledger") == "none, plain, none, held, none, looked up, none"
        );
    }

    TEST_CASE_FIXTURE(answers, "the lock of a shared series is given back behind each batch")
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        auto const number = std::to_string(series_id());
        pqxx::connection another{url()};
        pqxx::nontransaction instance{another};
        execute(instance, "select pg_advisory_lock(28263, " + number + ")");
        auto const asked = submit({"a"});
        blocked_backend();  // it met the other instance, and waits for its turn
        execute(instance, "select pg_advisory_unlock(28263, " + number + ")");
        CHECK(outcome(asked) == "101-101");
        run_until([&] {
            return run("select count(*) from pg_locks where locktype = 'advisory' and "
                       "classid = 28263 and database = (select oid from pg_database where "
                       "datname = current_database())") == "0";
        });
        CHECK(issue({{"b"}}) == "102-102");
        CHECK(verify() == "gapless");
    }
}

}  // namespace issue_queue_answers_test
