#include "issuing/queue_bench.hpp"

namespace fence_test {

using namespace gapless;
using test::queue_bench;

/// Two instances on one database with four series. The one that test calls the other knows nothing
/// of a fence until it asks.
struct two_queues : queue_bench
{
    void begin_both()
    {
        begin({{100, 199}});
        for (std::string const series : {"t", "u", "v"})
            ids_.push_back(create_series(series, {{ids_first(), ids_first() + 99}}));
        run("select gapless.issue('s'), gapless.issue('t'), gapless.issue('u'), "
            "gapless.issue('v')");
        begin_other();
    }

    /// Asks the other queue for a number of "t", "u" or "v".
    std::size_t ask_other(std::size_t series, std::string const& key)
    {
        set_series_id(ids_.at(series));
        return submit_other({key});
    }

    std::string left_of_others()
    {
        return run("select sum(count) from gapless.ledger where series_id > 1");
    }

private:
    std::int64_t ids_first() const { return 200 + 100 * static_cast<std::int64_t>(ids_.size()); }

    std::vector<std::int32_t> ids_;
};

TEST_SUITE("issuing/fence_database")
{
    TEST_CASE_FIXTURE(
        two_queues, "where one instance raises a fence the next batch of all is refused"
    )
    {
        begin_both();
        auto const before = ask_other(0, "before");
        CHECK(outcome(before) == "201-201");
        // Somebody put the next number into the ledger behind every guard's back.
        run("set local session_replication_role = replica;"
            "insert into gapless.ledger (series_id, count, ordinal, serial, key, issued_at, "
            "block_id, owner_id, epoch) "
            "select series_id, count, ordinal + 1, serial + 1, gen_random_uuid(), issued_at, "
            "block_id, owner_id, epoch from gapless.ledger where series_id = 1");
        set_series_id(1);
        CHECK(issue({{"a"}}) == "refused: fenced");
        run_until([&] { return queue().fenced(); });

        auto const alone = ask_other(0, "alone");
        CHECK(outcome(alone) == "refused: fenced");
        auto const one = ask_other(1, "one");
        auto const two = ask_other(2, "two");
        CHECK(outcome(one) == "refused: fenced");
        CHECK(outcome(two) == "refused: fenced");
        CHECK(left_of_others() == "4");
    }

    TEST_CASE_FIXTURE(test::issuing, "a session without triggers issues nothing")
    {
        create_series("s", {{100, 199}});
        run("set session_replication_role = replica");
        CHECK(run("select gapless.issue('s')") == "refused: database-unavailable");
        run("reset session_replication_role");
        CHECK(run("select number from gapless.issue('s')") == "100");
        CHECK(verify() == "gapless");
    }
}

}  // namespace fence_test
