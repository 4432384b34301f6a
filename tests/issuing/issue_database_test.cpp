#include "harness/issuing.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using test::issuing;

TEST_SUITE("issuing/issue_database")
{
    TEST_CASE_FIXTURE(issuing, "answers with each number and its ordinal, in order")
    {
        create_series("s", {{100, 101}, {200, 209}});

        CHECK(
            run("select * from gapless.issue('s', 3, key => 'order-1', reference => 'r')") ==
            "100|1 101|2 200|3"
        );
        CHECK(
            run("select * from gapless.issue('s', 3, key => 'order-1', reference => 'r')") ==
            "100|1 101|2 200|3"
        );
        CHECK(run("select * from gapless.issue('s')") == "201|4");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a UUID and its text are one key, and no call is ambiguous")
    {
        create_series("s", {{100, 120}});
        auto const key = std::string{"'01924f4b-0000-7000-8000-00000000abcd'"};

        CHECK(run("select * from gapless.issue('s', 2, " + key + "::uuid)") == "100|1 101|2");
        CHECK(run("select * from gapless.issue('s', 2, upper(" + key + "))") == "100|1 101|2");
        CHECK(
            run("select * from gapless.issue('s', 1, key => gen_random_uuid(), reference => 'r')"
            ) == "102|3"
        );
        CHECK(run("select * from gapless.issue('s')") == "103|4");
        CHECK(run("select * from gapless.issue('s', 1::int)") == "104|5");
        CHECK(run("select * from gapless.issue('s', 1::bigint, null, 'r')") == "105|6");
        CHECK(run("select * from gapless.issue('s', key => 'k')") == "106|7");
        CHECK(
            run("select * from gapless.issue('s', key => " + key + "::uuid)").starts_with("refused")
        );
        CHECK(run("select * from gapless.issue('s', key => gen_random_uuid())") == "107|8");
        // As drivers send it that leave all types to the server.
        run("prepare untyped as select * from gapless.issue($1, $2, $3)");
        CHECK(run("execute untyped('s', '1', 'k')") == "106|7");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "who goes on behind a queued block past its time closes it")
    {
        create_series("s", {{100, 100}, {200, 209}, {300, 300}, {400, 401}, {500, 501}});
        auto const queue = [&] {
            return run("select first, state from gapless.block_report('s')");
        };
        run("update gapless.block set valid_until = now() - interval '1 second' "
            "where block_id in (2, 4)");

        CHECK(issue("s", {"a", 2}) == "100-100 300-300");
        CHECK(queue() == "100|exhausted 200|closed 300|exhausted 400|queued 500|queued");
        CHECK(
            run("select closed_serial, closed_reason from gapless.block where block_id = 2") ==
            "200|expired"
        );
        CHECK(verify() == "gapless");

        CHECK(run("select gapless.block_move(5, 4, 'anna')").empty());
        CHECK(issue("s", {"b"}) == "500-500");
        CHECK(queue() == "100|exhausted 200|closed 300|exhausted 500|open 400|queued");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "works at every isolation level")
    {
        create_series("s", {{100, 101}, {200, 209}});

        for (std::string const isolation : {"read committed", "repeatable read", "serializable"})
        {
            CAPTURE(isolation);
            CHECK_FALSE(call_issue("s", 3, isolation, isolation).starts_with("refused"));
            CHECK(
                call_issue("s", 3, isolation, isolation) == call_issue("s", 3, isolation, isolation)
            );
        }
        CHECK(run("select sum(count), max(ordinal + count) from gapless.ledger") == "9|10");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "the caller's rollback takes nothing")
    {
        create_series("s", {{100, 101}, {200, 209}});
        {
            pqxx::work transaction{connection()};
            execute(transaction, "select * from gapless.issue('s', 5, key => 'a')");
            transaction.abort();
        }

        CHECK(run("select count(*) from gapless.ledger") == "0");
        CHECK(run("select state from gapless.block order by block_id") == "queued queued");
        CHECK(run("select * from gapless.issue('s', 1, key => 'a')") == "100|1");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a savepoint rolled back takes nothing, what came before stays")
    {
        create_series("s", {{100, 101}, {200, 209}});
        {
            pqxx::work transaction{connection()};
            execute(transaction, "select * from gapless.issue('s', 1, key => 'a')");
            execute(transaction, "savepoint before");
            execute(transaction, "select * from gapless.issue('s', 5, key => 'b')");
            execute(transaction, "rollback to before");
            execute(transaction, "select * from gapless.issue('s', 2, key => 'c')");
            transaction.commit();
        }

        CHECK(
            run("select serial, count from gapless.ledger order by ordinal") == "100|1 101|1 200|1"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "several calls in one transaction follow one another")
    {
        create_series("s", {{100, 101}, {200, 209}});

        CHECK(
            run("select * from gapless.issue('s', 2); select * from gapless.issue('s', 2, 'a'); "
                "select * from gapless.issue('s', 2, 'a')") == "200|3 201|4"
        );
        CHECK(run("select * from gapless.issue('s')") == "202|5");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "what cannot be is refused and takes nothing")
    {
        create_series("s", {{100, 109}});

        CHECK(run("select * from gapless.issue('t')") == "refused: unknown-series");
        CHECK(run("select * from gapless.issue(null)") == "refused: unknown-series");
        CHECK(run("select * from gapless.issue('s', 0)") == "refused: out-of-range");
        CHECK(run("select * from gapless.issue('s', -1)") == "refused: out-of-range");
        CHECK(run("select * from gapless.issue('s', 100001)") == "refused: out-of-range");
        CHECK(run("select * from gapless.issue('s', null::bigint)") == "refused: out-of-range");
        CHECK(run("select * from gapless.issue('s', 1, '')") == "refused: malformed-request");
        CHECK(run("select * from gapless.issue('s', 1, 'ä')") == "refused: malformed-request");
        CHECK(run("select * from gapless.issue('s', 1, e'a\\nb')") == "refused: malformed-request");
        CHECK(
            run("select * from gapless.issue('s', 1, repeat('k', 256))") ==
            "refused: malformed-request"
        );
        CHECK(
            run("select * from gapless.issue('s', 1, 'a', repeat('r', 256))") ==
            "refused: out-of-range"
        );
        CHECK(run("select * from gapless.issue('s', 1, 'a', E'r\\n')") == "refused: out-of-range");
        CHECK(run("select * from gapless.issue('s', 11)") == "refused: series-exhausted");
        CHECK(run("select gapless.series_change('s', '{\"paused\": true}', null, 'me')").empty());
        CHECK(run("select * from gapless.issue('s')") == "refused: series-paused");
        CHECK(run("select gapless.series_change('s', '{\"paused\": false}', null, 'me')").empty());
        CHECK(
            run("select * from gapless.issue('s', 1, repeat('k', 255), repeat('r', 255))") ==
            "100|1"
        );
        CHECK(
            run("select * from gapless.issue('s', 2, repeat('k', 255), repeat('r', 255))") ==
            "refused: idempotency-key-reused"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a key spent in another series is refused, not answered")
    {
        create_series("s", {{100, 109}});
        create_series("t", {{200, 209}});

        CHECK(run("select number from gapless.issue('s', 1, 'a')") == "100");
        CHECK(
            run("select number from gapless.issue('t', 1, 'a')") ==
            "refused: idempotency-key-reused"
        );
        CHECK(run("select number from gapless.issue('t', 1, 'b')") == "200");
    }

    TEST_CASE_FIXTURE(issuing, "a session that could lose an acknowledged number is refused")
    {
        create_series("s", {{100, 109}});

        for (std::string const unsafe : {"off", "local", "remote_write"})
        {
            CAPTURE(unsafe);
            auto const set = std::string{"set local synchronous_commit = "} + unsafe + "; ";
            CHECK(run(set + "select * from gapless.issue('s')") == "refused: database-unavailable");
            CHECK(
                run("set transaction isolation level serializable; " + set +
                    "select * from gapless.issue_plain(1, '{0}', '{1}', '{1}', "
                    "array[gen_random_uuid()], '{null}', true)") == "refused: database-unavailable"
            );
            CHECK(
                run("set transaction isolation level serializable; " + set +
                    "select * from gapless.issue_requests(1, '{1}', '{1}', "
                    "array[gen_random_uuid()], '{null}', '{false}', true)") ==
                "refused: database-unavailable"
            );
        }
        CHECK(
            run("set local synchronous_commit = remote_apply; select number from gapless.issue('s')"
            ) == "100"
        );
        CHECK(run("select number from gapless.issue('s')") == "101");
    }

    TEST_CASE_FIXTURE(issuing, "the service's functions want a serializable transaction")
    {
        create_series("s", {{100, 109}});

        for (std::string const isolation : {"read committed", "repeatable read"})
        {
            CAPTURE(isolation);
            auto const set = std::string{"set transaction isolation level "} + isolation + "; ";
            CHECK(
                run(set + "select * from gapless.issue_plain(1, '{0}', '{1}', '{1}', "
                          "array[gen_random_uuid()], '{null}', true)") ==
                "refused: database-unavailable"
            );
            CHECK(
                run(set + "select * from gapless.issue_requests(1, '{1}', '{1}', "
                          "array[gen_random_uuid()], '{null}', '{false}', true)") ==
                "refused: database-unavailable"
            );
        }
        CHECK(run("select number from gapless.issue('s')") == "100");
    }
}
