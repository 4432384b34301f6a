#include "harness/issuing.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using test::wanted;

namespace {

struct plain_batches : test::issuing
{
    /// Their states, in the order of the queue.
    std::string blocks() { return run("select state from gapless.block order by position"); }
};

}  // namespace

TEST_SUITE("issuing/issue_plain_database")
{
    TEST_CASE_FIXTURE(plain_batches, "a plain batch leaves in order")
    {
        create_series("s", {{100, 199}});
        issue("s", {"opens the block"});

        CHECK(issue_plain("s", {{"a"}}) == "101-101");
        CHECK(issue_plain("s", {{"b", 3}, {"c"}, {"d", 5}}) == "102-104, 105-105, 106-110");
        CHECK(issue("s", {"c"}) == "again 105-105");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(plain_batches, "it fills a block to its last number, then opens the next")
    {
        create_series("s", {{100, 104}, {200, 204}});

        CHECK(issue_plain("s", {{"opens the block"}}) == "100-100");
        CHECK(issue_plain("s", {{"a", 2}, {"b", 3}}) == "nothing");
        CHECK(issue_plain("s", {{"a", 2}, {"b", 2}}) == "101-102, 103-104");
        CHECK(blocks() == "open queued");
        CHECK(issue_plain("s", {{"c", 3}, {"d", 3}}) == "nothing");
        CHECK(blocks() == "open queued");
        CHECK(issue_plain("s", {{"c", 3}, {"d", 2}}) == "200-202, 203-204");
        CHECK(blocks() == "exhausted open");
        CHECK(issue_plain("s", {{"e"}}) == "nothing");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(plain_batches, "only where the service issues, the fast path opens a block")
    {
        create_series("s", {{100, 104}});
        auto const call = "gapless.issue_plain(1, '{0}', '{1}', '{1}', array[gen_random_uuid()], "
                          "null, ";
        CHECK(run("select count(*) from " + std::string{call} + "false)") == "0");
        CHECK(blocks() == "queued");
        CHECK(
            run("set transaction isolation level serializable; select serial from " +
                std::string{call} + "true)") == "100"
        );
    }

    TEST_CASE_FIXTURE(plain_batches, "a session finds its counters again without their index")
    {
        create_series("s", {{100, 199}});
        create_series("t", {{500, 599}});
        issue("s", {"opens the block"});
        issue("t", {"opens the block, too"});
        auto const uuids = [](int n) {
            return "array(select gen_random_uuid() from generate_series(1, " + std::to_string(n) +
                   "))";
        };
        auto const alone = "select * from gapless.issue_plain(1, '{0,2}', '{2,1}', '{1,1}', " +
                           uuids(2) + ", null, false);";
        auto const alike = "select * from gapless.issue_plain(1, '{0,2}', '{2,2}', '{1,1}', " +
                           uuids(2) + ", null, false);";
        auto const many = "select * from gapless.issue_plain_many('{1,2}', '{3,1}', '{1,1,2}', "
                          "'{0,2,0}', '{2,1,1}', '{1,1,1}', " +
                          uuids(3) + ", null, false);";
        auto const many_alike = "select * from gapless.issue_plain_many('{1,2}', '{1,1}', '{1,2}', "
                                "'{0,0}', '{1,1}', '{1,1}', " +
                                uuids(2) + ", null, false);";

        CHECK(work_of(alone + many, "counter", "idx_scan") == 2);
        for (auto const& batch : {alone, alike, many, many_alike})
            CHECK(work_of(batch + batch, "counter", "idx_scan") == 0);
        // Moved without a word: looked up once.
        run("update gapless.counter set replays = replays + 1 where series_id = 2");
        CHECK(work_of(many + many, "counter", "idx_scan") == 1);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(plain_batches, "series that share a place to remember share a batch, too")
    {
        for (auto const id : {1, 4097, 8193, 12289})
        {
            auto const name = "s" + std::to_string(id);
            run("select setval(pg_get_serial_sequence('gapless.series', 'series_id'), " +
                std::to_string(id) + ", false)");
            create_series(name, {{id * 1'000, id * 1'000 + 99}});
            issue(name, {"opens " + name});
        }
        for (auto const* const counts : {"1,1,1,1", "1,2,3,1"})
            CHECK(
                run(std::string{"select count(*) from gapless.issue_plain_many("} +
                    "'{1,4097,8193,12289}', '{" + counts + "}', '{1,2,3,4}', '{0,0,0,0}', '{" +
                    counts + "}', '{1,1,1,1}', array(select gen_random_uuid() from " +
                    "generate_series(1, 4)), null, false)") == "4"
            );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(plain_batches, "it does nothing without a block")
    {
        create_series("s", {});
        CHECK(issue_plain("s", {{"a"}}) == "nothing");
        CHECK(run("select count(*) from gapless.ledger") == "0");
    }

    TEST_CASE_FIXTURE(
        plain_batches, "arrays of different lengths are refused, whichever is the shorter"
    )
    {
        create_series("s", {{100, 199}});
        issue("s", {"opens the block"});
        auto const two = [](std::string const& type) {
            return std::string{
                type == "uuid" ? "array[gen_random_uuid(), gen_random_uuid()]"
                               : "'{1,1}'::" + type + "[]"};
        };
        auto const one = [](std::string const& type) {
            return std::string{
                type == "uuid" ? "array[gen_random_uuid()]" : "'{1}'::" + type + "[]"};
        };
        auto const serial = std::string{"set transaction isolation level serializable; select * "};
        std::string const types[] = {"bigint", "integer", "integer", "uuid", "text", "integer"};
        for (std::size_t shorter = 0; shorter < std::size(types); ++shorter)
        {
            CAPTURE(shorter);
            auto const at = [&](std::size_t place) {
                if (place == 0 && shorter != 0)
                    return std::string{"'{0,1}'"};
                return place == shorter ? one(types[place]) : two(types[place]);
            };
            CHECK(
                run(serial + "from gapless.issue_plain(1, " + at(0) + ", " + at(1) + ", " + at(2) +
                    ", " + at(3) + ", " + at(4) + ", true, " + at(5) + ")") ==
                "refused: malformed-request"
            );
            if (shorter > 0)
                CHECK(
                    run(serial + "from gapless.issue_requests(1, " + at(1) + ", " + at(2) + ", " +
                        at(3) + ", " + at(4) + ", '{false,false}', true, " + at(5) + ")") ==
                    "refused: malformed-request"
                );
            if (shorter < 5)
                CHECK(
                    run(serial + "from gapless.issue_plain_many('{1}', '{2}', '{1,1}', " + at(0) +
                        ", " + at(1) + ", " + at(2) + ", " + at(3) + ", " + at(4) + ", true)") ==
                    "refused: malformed-request"
                );
        }
        CHECK(run("select count(*), sum(held) from gapless.ledger, gapless.tally") == "1|0");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(plain_batches, "it does nothing in a series that does not exist")
    {
        CHECK(run("set transaction isolation level serializable; "
                  "select * from gapless.issue_plain(99, '{0}', '{1}', '{1}', "
                  "array[gen_random_uuid()], '{null}', true)")
                  .empty());
    }

    TEST_CASE_FIXTURE(plain_batches, "a key seen before takes the whole batch back")
    {
        create_series("s", {{100, 199}});
        issue("s", {"a"});

        CHECK(
            issue_plain("s", {{"b"}, {"a"}, {"c"}}) ==
            "23505 duplicate key value violates unique constraint \"key_is_spent_once\""
        );
        CHECK(issue_plain("s", {{"d"}, {"d"}}).starts_with("23505"));
        CHECK(issue_batch("s", {{"b"}, {"a"}, {"c"}}) == "101-101, again 100-100, 102-102");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(plain_batches, "offsets that are not the sums of the counts are refused")
    {
        std::string const refused = "23514 a range does not continue the ledger of its series";
        create_series("s", {{100, 199}});
        issue("s", {"opens the block"});

        CHECK(issue_plain("s", {{"a", 2}, {"b"}, {"c"}}, {{0, 1, 3}}) == refused);  // overlap
        CHECK(issue_plain("s", {{"a", 2}, {"b"}, {"c"}}, {{0, 3, 4}}) == refused);  // gap
        CHECK(
            issue_plain("s", {{"a", 2}, {"b"}, {"c"}}, {{1, 3, 4}}) == refused
        );  // not from the counter on
        CHECK(issue_plain("s", {{"a", 2}, {"b"}, {"c"}}, {{-1, 1, 2}}).starts_with("23"));
        CHECK(issue_plain("s", {{"a", 2}, {"b"}, {"c"}}, {{2, 0, 3}}).starts_with("23"));
        CHECK(
            issue_plain("s", {{"a", 2}, {"b"}, {"c"}}, {{0, 2, 3}}) == "101-102, 103-103, 104-104"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        plain_batches, "a batch of counts beyond the block is refused even with small offsets"
    )
    {
        create_series("s", {{100, 109}, {200, 299}});
        issue("s", {"opens the block"});

        CHECK(issue_plain("s", {{"a", 50}, {"b"}}, {{0, 1}}).starts_with("23514"));
        CHECK(issue("s", {"c"}) == "101-101");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(plain_batches, "the largest serial leaves through it without overflow")
    {
        create_series("s", {{9223372036854775803, 9223372036854775806}});
        issue("s", {"opens the block"});

        CHECK(issue_plain("s", {{"a", 1}, {"b", 3}}) == "nothing");
        CHECK(
            issue_plain("s", {{"a", 1}, {"b", 2}}) ==
            "9223372036854775804-9223372036854775804, 9223372036854775805-9223372036854775806"
        );
        CHECK(issue_plain("s", {{"c"}}) == "nothing");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(plain_batches, "the answer says where, in which block and epoch, and when")
    {
        create_series("s", {{100, 199}});
        issue("s", {"opens the block"});

        CHECK(
            run("set transaction isolation level serializable; "
                "select ordinal, serial, block_id, epoch, issued_at between now() and "
                "clock_timestamp() from "
                "gapless.issue_plain(1, '{0,5}', '{5,2}', '{1,1}', "
                "array[gen_random_uuid(), gen_random_uuid()], '{null,x}', true)") == "2|101|1|1|t"
        );
        CHECK(
            run("select ordinal, serial, count, reference from gapless.ledger where ordinal > 1") ==
            "2|101|5|null 7|106|2|x"
        );
    }
}
