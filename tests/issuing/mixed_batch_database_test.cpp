#include "harness/issuing.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

namespace mixed_batch_test {

using namespace gapless;
using test::wanted;

/// Series "s" after "a" took 100, "b" 101-102 for order-1 and "held" 103 for ten minutes; 104-109
/// are left in the open block, 200-209 follow. "other" is spent in series "t".
struct fixture : test::issuing
{
    fixture()
    {
        create_series("s", {{100, 109}, {200, 209}});
        create_series("t", {{500, 509}});
        issue_batch("s", {a, b});
        issue("s", held);
        issue("t", {"other"});
    }

    std::string replays()
    {
        return run("select replays from gapless.counter where series_id = " + id_of("s"));
    }

    /// Whether a batch writes the counter of "s", so that its COMMIT waits for the standby.
    bool writes(std::vector<wanted> const& batch)
    {
        pqxx::transaction<pqxx::serializable> transaction{connection()};
        auto const id = std::string{"1"};
        std::string contiguous;
        for (std::size_t n = 0; n < batch.size(); ++n)
            contiguous += n == 0 ? "false" : ",false";
        execute(
            transaction,
            "select * from gapless.issue_requests(" + id + ", " + test::batch_arguments(batch) +
                ", '{" + contiguous + "}', true)"
        );
        return query_value<bool>(
            transaction,
            "select xmin = pg_current_xact_id()::xid from gapless.counter where series_id "
            "= " +
                id
        );
    }

    wanted const a{"a"};
    wanted const b{"b", 2, "order-1"};
    wanted const held{"held", 1, "", false, 1, 600};
};

TEST_SUITE("issuing/mixed_batch_database")
{
    TEST_CASE_FIXTURE(fixture, "new requests are served in their order, whatever is repeated")
    {
        CHECK(
            issue_batch("s", {{"n1"}, a, {"n2", 2, "order-2"}, b, {"n3"}}) ==
            "104-104, again 100-100, 105-106, again 101-102, 107-107"
        );
        CHECK(
            run("select ordinal, count, reference from gapless.ledger where series_id = 1 and "
                "ordinal > 4 order by ordinal") == "5|1|null 6|2|order-2 8|1|null"
        );
        CHECK(issue_batch("s", {b, {"n2", 2, "order-2"}}) == "again 101-102, again 105-106");
        CHECK(issue_batch("s", {{"n4"}, {"n5"}}) == "108-108, 109-109");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(fixture, "a spent key is refused for another request, and only that")
    {
        CHECK(
            issue_batch(
                "s",
                {{"n1"},
                 {"a", 2},
                 {"n2"},
                 {"b", 2},
                 {"b", 1, "order-1"},
                 {"b", 2, "order-2"},
                 {"held"},
                 {"other"},
                 a,
                 {"n3"}}
            ) == "104-104, refused: idempotency-key-reused, 105-105, refused: "
                 "idempotency-key-reused, refused: idempotency-key-reused, refused: "
                 "idempotency-key-reused, refused: idempotency-key-reused, refused: "
                 "idempotency-key-reused, again 100-100, 106-106"
        );
        CHECK(
            issue_batch("s", {{"n4"}, {"a", 1, "", true}, a, {"n5"}}) ==
            "107-107, refused: idempotency-key-reused, again 100-100, 108-108"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(fixture, "holds are compared, and made, beside replays")
    {
        CHECK(
            issue_batch(
                "s",
                {{"n1"},
                 held,
                 {"held", 1, "", false, 1, 60},
                 {"a", 1, "", false, 1, 600},
                 a,
                 {"h2", 2, "", false, 1, 60},
                 {"n2"}}
            ) == "104-104, again 103-103, refused: idempotency-key-reused, refused: "
                 "idempotency-key-reused, again 100-100, 105-106, 107-107"
        );
        CHECK(run("select held from gapless.tally where series_id = 1") == "3");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(fixture, "a key twice in a batch, spent before or not, leaves once")
    {
        CHECK(
            issue_batch("s", {{"n"}, a, {"n"}, a, {"m"}}) ==
            "104-104, again 100-100, again 104-104, again 100-100, 105-105"
        );
        CHECK(issue_batch("s", {a, {"x"}, a}) == "again 100-100, 106-106, again 100-100");
        CHECK(
            issue_batch("s", {a, {"y"}, {"y", 2}, {"z"}}) ==
            "again 100-100, 107-107, refused: idempotency-key-reused, 108-108"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(fixture, "what came back goes first, also beside replays")
    {
        run("select gapless.hold_settle(1, 0, 4, null, false, 'test')");

        CHECK(
            issue_batch("s", {a, {"n1"}, {"n2"}, b}) ==
            "again 100-100, 103-103, 104-104, again 101-102"
        );
        // Its first key tells that 103 is another one's by now.
        CHECK(
            issue_batch("s", {{"n1"}, {"n3"}, held}) ==
            "again 103-103, 105-105, again 103-103 (released)"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(fixture, "replays pass where nothing new may leave")
    {
        SUBCASE("while the series is paused")
        {
            run("select gapless.series_change('s', '{\"paused\": true}', null, 'me')");
            CHECK(
                issue_batch("s", {{"n"}, a, {"b", 2}, b}) ==
                "refused: series-paused, again 100-100, refused: idempotency-key-reused, again "
                "101-102"
            );
            run("select gapless.series_change('s', '{\"paused\": false}', null, 'me')");
            CHECK(issue_batch("s", {a, {"n"}}) == "again 100-100, 104-104");
        }
        SUBCASE("while the database is fenced")
        {
            run("update gapless.counter set fenced = true");
            CHECK(
                issue_batch("s", {{"n"}, a, b}) == "refused: fenced, again 100-100, again 101-102"
            );
            run("update gapless.counter set fenced = false");
        }
        SUBCASE("after the block expired")
        {
            run("set local session_replication_role = replica; "
                "update gapless.counter set valid_until = now() - interval '1 second' where "
                "series_id = 1");
            CHECK(issue_batch("s", {{"n"}, a, b}) == "200-200, again 100-100, again 101-102");
            CHECK(run("select state from gapless.block where block_id = 1") == "closed");
        }
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(fixture, "a replay never leaves in a transaction that wrote nothing")
    {
        CHECK(writes({a}));
        CHECK(writes({a, b}));
        CHECK(writes({a, {"n"}}));
        CHECK(writes({{"a", 2}, a}));
        CHECK(writes({a, {"more than there is", 100}}));
        CHECK(writes({{"n"}, {"n"}, a}));

        CHECK_FALSE(writes({{"a", 2}}));
        CHECK_FALSE(writes({{"a", 2}, {"more than there is", 100}}));
    }

    TEST_CASE_FIXTURE(fixture, "replays are counted where nothing was issued beside them")
    {
        CHECK(issue_batch("s", {a, b, {"a", 2}, a}).starts_with("again 100-100"));
        CHECK(replays() == "3");
        issue_batch("s", {{"a", 2}, {"b", 1}});
        CHECK(replays() == "3");
        issue_batch("s", {a, {"more than there is", 100}, b});
        CHECK(replays() == "5");
    }
}

}  // namespace mixed_batch_test
