#include "reserve/leases.hpp"
#include "reserve/reserve_router.hpp"

#include <functional>

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

/// A router that draws, with a disk that takes as long as the test likes.
struct drawing
{
    explicit drawing(std::int64_t numbers)
    {
        auto grant = grant_of();
        grant.count = numbers;
        core.keep(grant, reserve_now(), lease_time);
        core.renew({word_of()}, noon, reserve_now());
        router.remember();
        router.use(std::make_shared<journal_writer>(
            lease_journal::create(folder.path, "db-1", id_of(1)),
            [](std::uint64_t, std::string const&) {}
        ));
    }

    new_folder const folder;
    boost::asio::io_context io;
    issue_queue queue{io, {.database_url = "host=/nowhere"}, {}};
    reserve_core core{1'000};
    reserve_router router{io, queue, core};
};

TEST_SUITE("reserve/reserve_router")
{
    TEST_CASE("who waits too long for the journal is told that the outcome is unknown")
    {
        drawing bench{10};
        auto& router = bench.router;
        std::string told;
        auto const ask = [&] {
            told.clear();
            router.issue(request_of(1), std::make_unique<kept_outcome>(told));
            bench.io.restart();
            bench.io.poll();
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
        bench.io.restart();
        bench.io.poll();
        CHECK(told == "outcome-unknown");
        CHECK(ask() == "issued");
        CHECK(router.answers() == 0);
    }

    TEST_CASE("who is told at last may ask for the next number at once")
    {
        drawing bench{2'000};
        auto& router = bench.router;
        // As a connection does with requests that were sent one after the other.
        struct connection : issue_listener
        {
            connection(std::function<void()> next) : then{std::move(next)} {}
            void ended(result<issuance> /*got*/) override { then(); }
            std::function<void()> then;
        };
        int told = 0;
        for (std::uint32_t n = 0; n < 400; ++n)
            router.issue(request_of(n), std::make_unique<connection>([&, n] {
                             ++told;
                             router.issue(request_of(1'000 + n), std::make_unique<connection>([&] {
                                              ++told;
                                          }));
                         }));
        auto const moment = queue_clock::now();
        router.give_up_before(moment);
        CHECK(told == 400);
        router.give_up_before(queue_clock::now() + 1h);
        CHECK(told == 800);
    }

    TEST_CASE("a key is held back until its own answer is recorded")
    {
        boost::asio::io_context io;
        issue_queue queue{io, {.database_url = "host=/nowhere"}, {}};
        reserve_core core{10};
        reserve_router router{io, queue, core};
        router.hold_back({{7, key_of(1)}, {7, key_of(2)}});
        router.let_go({7, key_of(1)});
        std::string told[2];
        for (std::uint32_t n = 0; n < 2; ++n)
            router.issue(request_of(n + 1), std::make_unique<kept_outcome>(told[n]));
        io.poll();
        CHECK(told[0] != "outcome-unknown");
        CHECK(told[1] == "outcome-unknown");
    }
}

}  // namespace reserve_router_test
