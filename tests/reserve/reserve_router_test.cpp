#include "reserve/leases.hpp"
#include "reserve/reserve_router.hpp"

namespace reserve_router_test {

using namespace gapless;
using namespace gapless::test;

struct kept_outcome : issue_listener
{
    explicit kept_outcome(std::string& kept) : told{kept} {}
    void ended(result<issuance> got) override
    {
        told += got.has_error() ? std::string{name_of(got.error().kind)} : "issued";
    }
    std::string& told;
};

TEST_SUITE("reserve/reserve_router")
{
    TEST_CASE("who waits too long for the journal is told that the outcome is unknown")
    {
        new_folder const folder;
        boost::asio::io_context io;
        issue_queue queue{io, {.database_url = "host=/nowhere"}, {}};
        reserve_core core{10};
        core.keep(grant_of(), reserve_now(), lease_time);
        core.renew({word_of()}, noon, reserve_now());
        reserve_router router{io, queue, core};
        router.remember();
        // Its disk takes as long as the test likes.
        router.use(std::make_shared<journal_writer>(
            lease_journal::create(folder.path, "db-1", id_of(1)),
            [](std::uint64_t, std::string const&) {}
        ));
        std::string told;
        auto const ask = [&] {
            told.clear();
            router.issue(request_of(1), std::make_unique<kept_outcome>(told));
            io.restart();
            io.poll();
            return told;
        };
        CHECK(ask().empty());
        router.give_up_before(queue_clock::now() - 1h);
        CHECK(told.empty());
        router.give_up_before(queue_clock::now() + 1h);
        CHECK(told == "outcome-unknown");
        router.give_up_before(queue_clock::now() + 1h);
        CHECK(told == "outcome-unknown");  // once
        CHECK(router.outages()[1].in_doubt == 1);
        CHECK(ask() == "outcome-unknown");

        router.flushed_callback()(1, {});
        io.restart();
        io.poll();
        CHECK(told == "outcome-unknown");
        CHECK(ask() == "issued");
        CHECK(router.answers() == 0);
    }
}

}  // namespace reserve_router_test
