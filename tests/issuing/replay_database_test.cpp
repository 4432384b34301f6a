#include "harness/issuing.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using test::issuing;
using test::wanted;

TEST_SUITE("issuing/replay_database")
{
    TEST_CASE_FIXTURE(issuing, "a repeated key returns the first answer and takes nothing")
    {
        create_series("s", {{100, 199}});

        CHECK(issue("s", {"a", 3}) == "100-102");
        CHECK(issue("s", {"a", 3}) == "again 100-102");
        CHECK(issue("s", {"a", 3}) == "again 100-102");
        CHECK(issue("s", {"b"}) == "103-103");
        CHECK(issue("s", {"a", 3}) == "again 100-102");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a replay over several blocks returns every range in order")
    {
        std::vector<test::block_ends> blocks;
        std::string ranges;
        for (int n = 30; n > 0; --n)
        {
            blocks.push_back({n * 10, n * 10});
            ranges +=
                (ranges.empty() ? "" : " ") + std::to_string(n * 10) + "-" + std::to_string(n * 10);
        }
        create_series("s", blocks);

        CHECK(issue("s", {"a", 30}) == ranges);
        run("analyze gapless.ledger; analyze gapless.issuance");
        CHECK(issue("s", {"a", 30}) == "again " + ranges);
        CHECK(
            run("select string_agg(format('%s-%s', serial, serial), ' ') from "
                "gapless.issuance_ranges(1, 0::smallint, 1)") == ranges
        );
        for (std::string const method : {"enable_nestloop", "enable_hashjoin", "enable_mergejoin"})
        {
            CAPTURE(method);
            run(std::string{"set "} + method + " = off");
            CHECK(issue("s", {"a", 30}) == "again " + ranges);
            CHECK(
                run("select string_agg(format('%s-%s', serial, serial), ' ') from "
                    "gapless.issuance_report(1, 0::smallint, 1)") == ranges
            );
        }
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a key is good for one request only")
    {
        create_series("s", {{100, 199}});
        create_series("t", {{500, 599}});
        CHECK(issue("s", {"a", 3, "order-1"}) == "100-102");

        SUBCASE("not for another count")
        {
            CHECK(issue("s", {"a", 4, "order-1"}) == "refused: idempotency-key-reused");
        }
        SUBCASE("not for another reference")
        {
            CHECK(issue("s", {"a", 3, "order-2"}) == "refused: idempotency-key-reused");
        }
        SUBCASE("not without its reference")
        {
            CHECK(issue("s", {"a", 3}) == "refused: idempotency-key-reused");
        }
        SUBCASE("not in one piece when that was not asked for")
        {
            CHECK(issue("s", {"a", 3, "order-1", true}) == "refused: idempotency-key-reused");
        }
        SUBCASE("not for another series")
        {
            CHECK(issue("t", {"a", 3, "order-1"}) == "refused: idempotency-key-reused");
        }

        CHECK(issue("s", {"a", 3, "order-1"}) == "again 100-102");
        CHECK(issue("s", {"b"}) == "103-103");
        CHECK(issue("t", {"c"}) == "500-500");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a key of several blocks is good for one request only, too")
    {
        create_series("s", {{100, 101}, {200, 209}});
        CHECK(issue("s", {"a", 4}) == "100-101 200-201");

        CHECK(issue("s", {"a", 2}) == "refused: idempotency-key-reused");
        CHECK(issue("s", {"a", 4, "order-1"}) == "refused: idempotency-key-reused");
        CHECK(issue("s", {"a", 4, "", true}) == "refused: idempotency-key-reused");
        CHECK(issue("s", {"a", 4}) == "again 100-101 200-201");
    }

    TEST_CASE_FIXTURE(issuing, "a key that asked for one piece is not good without asking for it")
    {
        create_series("s", {{100, 109}});
        CHECK(issue("s", {"a", 4, "", true}) == "100-103");

        CHECK(issue("s", {"a", 4}) == "refused: idempotency-key-reused");
        CHECK(issue("s", {"a", 4, "", true}) == "again 100-103");
    }

    TEST_CASE_FIXTURE(
        issuing, "a refused key says in what the requests differ, and when it was spent"
    )
    {
        create_series("s", {{100, 199}});
        create_series("t", {{500, 599}});
        issue("s", {"a", 3, "order-1"});
        auto const told = [&](std::string const& series, test::wanted const& wanted) {
            return run(
                "select regexp_replace(detail, '[0-9]{4}-[^ ]*Z', 'then') from "
                "gapless.issue_requests(" +
                id_of(series) + ", " + test::batch_arguments({wanted}) + ", '{" +
                (wanted.contiguous ? "true" : "false") + "}', false, array[" +
                (wanted.hold_seconds > 0 ? "60" : "null") + "]::integer[])"
            );
        };
        std::string const begin{"the key was spent on another request at then, which differs in: "};
        std::string const end{"; use a new key for a new request"};
        CHECK(told("s", {"a", 4, "order-1"}) == begin + "count" + end);
        CHECK(told("s", {"a", 3, "order-2"}) == begin + "reference" + end);
        CHECK(told("s", {"a", 3, "order-1", true}) == begin + "contiguous" + end);
        CHECK(told("t", {"a", 3, "order-1"}) == begin + "series" + end);
        auto held = test::wanted{"a", 1};
        held.hold_seconds = 60;
        CHECK(told("s", held) == begin + "count, reference, hold" + end);
    }

    TEST_CASE_FIXTURE(
        issuing, "a repeated key among new ones tells what became of its numbers, and writes"
    )
    {
        auto const id = create_series("s", {{100, 109}});
        issue_batch("s", {{"a", 3}, {"b"}});
        run("select gapless.note_event(" + std::to_string(id) +
            ", 'voided', '{[2,3),[4,5)}', 'me', 'torn', false)");
        CHECK(
            issue_batch("s", {{"a", 3}, {"c"}, {"b"}, {"a", 3}}) ==
            "again 100-100 101-101 (voided) 102-102, 104-104, again 103-103 (voided), "
            "again 100-100 101-101 (voided) 102-102"
        );
        CHECK(issue_batch("s", {{"b"}}) == "again 103-103 (voided)");
        CHECK(run("select replays from gapless.counter") == "1");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a number that was issued again in a later cycle is no more its own")
    {
        create_series("s", {{100, 104}, {500, 501}});
        create_series("t", {});
        wanted const held{.key = "h", .count = 2, .hold_seconds = 60};
        wanted const all{"a", 4};
        issue("s", held);
        run("select gapless.hold_settle(1, 0, 1, null, true, 'me')");
        issue("s", all);
        run("update gapless.series set reuse_after = '0 s'");
        issue("s", {"last"});
        load_block("t", {99, 103});
        CHECK(issue("t", {"t", 2}) == "99-100");
        CHECK(issue("s", held) == "again 100-100 (reused) 101-101 (confirmed)");
        CHECK(issue("s", all) == "again 102-104 500-500");  // loaded, and not issued yet
        CHECK(issue("t", {"u", 3}) == "101-103");
        CHECK(issue("s", held) == "again 100-101 (reused)");
        CHECK(issue("s", all) == "again 102-103 (reused) 104-104 500-500");
        CHECK(issue("t", {"u", 3}) == "again 101-103");
        CHECK(issue("s", {"last"}) == "again 501-501");
        CHECK(
            run("select gapless.hold_settle(1, 0, 1, null, true, 'me')") ==
            "refused: issuance-settled"
        );
        // Issued elsewhere, again.
        run("select * from gapless.block_load('s', 501, 509, null, null, null, 'me', 501)");
        CHECK(issue("s", {"last"}) == "again 501-501 (reused)");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "keys are scoped by owner")
    {
        create_series("s", {{100, 109}});

        CHECK(issue("s", {"a", 1, "", false, 1}) == "100-100");
        CHECK(issue("s", {"a", 2, "", false, 2}) == "101-102");
        CHECK(issue("s", {"a", 1, "", false, 1}) == "again 100-100");
        CHECK(issue("s", {"a", 2, "", false, 2}) == "again 101-102");
        CHECK(
            issue_batch("s", {{"b", 1, "", false, 1}, {"b", 1, "", false, 2}}) == "103-103, 104-104"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a replay writes, so that its commit waits for the standby")
    {
        create_series("s", {{100, 109}});
        issue("s", {"a", 3});
        auto const id = id_of("s");

        pqxx::transaction<pqxx::serializable> transaction{connection()};
        auto const replay = query_rows(
            transaction,
            "select * from gapless.issue_requests(" + id + ", " +
                test::batch_arguments({{"a", 3}}) + ", '{false}', true)"
        );
        CHECK(replay[0]["replayed"].as<bool>());
        CHECK_FALSE(query_row(transaction, "select pg_current_xact_id_if_assigned()")[0].is_null());
        CHECK(query_value<int>(transaction, "select replays from gapless.counter") == 1);
    }

    TEST_CASE_FIXTURE(issuing, "a replay is answered after its block was closed")
    {
        create_series("s", {{100, 109}});
        issue("s", {"a", 3});
        run("select gapless.block_close(1, 'misprinted', 'me')");

        CHECK(issue_batch("s", {{"a", 3}, {"b"}}) == "again 100-102, refused: series-exhausted");
        CHECK(verify() == "gapless");
    }
}
