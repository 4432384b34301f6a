#include "harness/issuing.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using test::issuing;
using test::wanted;

TEST_SUITE("issuing/issue_requests_database")
{
    TEST_CASE_FIXTURE(issuing, "goes on in the next block when the open one runs out")
    {
        create_series("s", {{100, 104}, {900, 909}});

        CHECK(issue("s", {"a", 3}) == "100-102");
        CHECK(issue("s", {"b", 5}) == "103-104 900-902");
        CHECK(issue("s", {"c"}) == "903-903");
        CHECK(
            run("select string_agg(state, ' ' order by block_id) from gapless.block") ==
            "exhausted open"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "the last number leaves, one more is refused and takes nothing")
    {
        create_series("s", {{100, 104}});

        CHECK(issue("s", {"a", 6}) == "refused: series-exhausted");
        CHECK(issue("s", {"b", 4}) == "100-103");
        CHECK(issue("s", {"c", 2}) == "refused: series-exhausted");
        CHECK(issue("s", {"d"}) == "104-104");
        CHECK(issue("s", {"e"}) == "refused: series-exhausted");
        CHECK(run("select count(*) from gapless.ledger") == "2");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        issuing, "exactly all numbers of all blocks leave in one request, one more does not"
    )
    {
        create_series("s", {{100, 104}, {200, 204}});

        CHECK(issue("s", {"a", 11}) == "refused: series-exhausted");
        CHECK(run("select string_agg(state, ' ') from gapless.block") == "queued queued");
        CHECK(issue("s", {"b", 10}) == "100-104 200-204");
        CHECK(issue("s", {"c"}) == "refused: series-exhausted");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a key refused for exhaustion succeeds once a block is loaded")
    {
        create_series("s", {{100, 101}});

        CHECK(issue("s", {"a", 3}) == "refused: series-exhausted");
        load_block("s", {300, 309});
        CHECK(issue("s", {"a", 3}) == "100-101 300-300");
        CHECK(issue("s", {"a", 3}) == "again 100-101 300-300");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a series that does not exist is refused")
    {
        CHECK(
            run("set transaction isolation level serializable; "
                "select * from gapless.issue_requests(99, '{1}', '{1}', array[gen_random_uuid()], "
                "'{null}', '{false}', true)") == "refused: unknown-series"
        );
    }

    TEST_CASE_FIXTURE(issuing, "a contiguous request gets one range or none")
    {
        create_series("s", {{100, 104}, {200, 204}});

        CHECK(issue("s", {"a", 3}) == "100-102");
        CHECK(issue("s", {"b", 3, "", true}) == "refused: not-contiguous");
        CHECK(issue("s", {"c", 2, "", true}) == "103-104");
        CHECK(issue("s", {"d", 5, "", true}) == "200-204");
        CHECK(issue("s", {"e", 1, "", true}) == "refused: series-exhausted");
        CHECK(issue("s", {"c", 2, "", true}) == "again 103-104");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        issuing, "a contiguous request that no block could serve is exhausted, not in pieces"
    )
    {
        create_series("s", {{100, 101}, {200, 201}});

        CHECK(issue("s", {"a", 5, "", true}) == "refused: series-exhausted");
        CHECK(issue("s", {"b", 3, "", true}) == "refused: not-contiguous");
        CHECK(issue("s", {"c", 3}) == "100-101 200-200");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "serials end at the largest one, without overflow")
    {
        create_series("s", {{9223372036854775804, 9223372036854775806}});

        CHECK(issue("s", {"a", 2}) == "9223372036854775804-9223372036854775805");
        CHECK(issue("s", {"b", 2}) == "refused: series-exhausted");
        CHECK(issue("s", {"c"}) == "9223372036854775806-9223372036854775806");
        CHECK(issue("s", {"d"}) == "refused: series-exhausted");
        CHECK(run("select next, remaining, issued from gapless.series_report('s')") == "null|0|3");
        CHECK(
            run("select next, remaining, issued, state from gapless.block_report('s')") ==
            "null|0|3|exhausted"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a block may hold every serial there is")
    {
        create_series("s", {{0, 9223372036854775806}});

        CHECK(issue("s", {"a", 100'000}) == "0-99999");
        CHECK(issue_batch("s", {{"b", 100'000}, {"c", 1}}) == "100000-199999, 200000-200000");
        CHECK(run("select remaining from gapless.series_report('s')") == "9223372036854575806");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "requests are served in the order of the batch, whatever they are")
    {
        create_series("s", {{100, 104}, {200, 209}});

        CHECK(issue("s", {"old", 2}) == "100-101");
        CHECK(
            issue_batch(
                "s",
                {{"a"},
                 {"old", 2},
                 {"b", 3},
                 {"old", 3},
                 {"c"},
                 {"d", 100},
                 {"e", 2, "", true},
                 {"a"},
                 {"f"}}
            ) == "102-102, again 100-101, 103-104 200-200, refused: idempotency-key-reused, "
                 "201-201, refused: series-exhausted, "
                 "202-203, again 102-102, 204-204"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a refusal in the middle of a batch hurts no neighbour")
    {
        create_series("s", {{100, 102}});

        CHECK(
            issue_batch("s", {{"a"}, {"b", 9}, {"c"}, {"d", 2}, {"e"}, {"f"}}) ==
            "100-100, refused: series-exhausted, 101-101, refused: series-exhausted, 102-102, "
            "refused: series-exhausted"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a paused series issues nothing, and goes on where it was")
    {
        create_series("s", {{100, 109}});
        CHECK(issue("s", {"a", 2}) == "100-101");

        run("select gapless.series_change('s', '{\"paused\": true}', null, 'me')");
        CHECK(
            issue_batch("s", {{"b"}, {"a", 2}, {"b"}, {"a", 3}}) ==
            "refused: series-paused, again 100-101, refused: series-paused, refused: "
            "idempotency-key-reused"
        );
        CHECK(issue_plain("s", {{"c"}}) == "nothing");

        run("select gapless.series_change('s', '{\"paused\": false}', null, 'me')");
        CHECK(issue("s", {"b"}) == "102-102");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a count below one is refused by the table itself")
    {
        create_series("s", {{100, 109}});
        issue("s", {"opens the block"});

        CHECK(issue("s", {"a", 0}).starts_with("23514"));
        CHECK(issue("s", {"a", -1}).starts_with("23514"));
        CHECK(issue("s", {"a", 1}) == "101-101");
        CHECK(verify() == "gapless");
    }
}
