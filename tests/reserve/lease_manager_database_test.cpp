#include "reserve/managed.hpp"

namespace lease_manager_test {

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("reserve/lease_manager_database")
{
    TEST_CASE_FIXTURE(managed, "who was told of a fence draws nothing when the database goes away")
    {
        keep_in_reserve("s", 20);
        refuses = true;
        end_connections();
        run_until([&] { return queue.fenced(); });
        CHECK_FALSE(manager.serves(series));
        cut();
        CHECK_FALSE(manager.serves(series));
        CHECK(outcome(ask(series, 1)) == "database-unavailable");

        refuses = false;
        connect();
        run_until([&] { return queue.whole(); });
        cut();
        CHECK(manager.serves(series));
        CHECK(outcome(ask(series, 1)) == "drawn");
    }

    TEST_CASE_FIXTURE(managed, "a reserve that cannot be had is told as one that does not serve")
    {
        auto const told = [&](std::string const& name) -> std::string {
            auto const all = manager.figures().series;
            auto const found = std::ranges::find(all, name, &reserve_of_series::series);
            return found == all.end() ? "nothing" : found->serves ? "serves" : "does not serve";
        };
        create_series("t", {});
        CHECK(told("t") == "nothing");
        run("select gapless.series_change('t', '{\"reserve_numbers\": 20}', null, 'me')");
        keep_in_reserve("s", 20);
        run_until([&] { return told("t") == "does not serve"; });
        CHECK(told("s") == "serves");
    }

    TEST_CASE_FIXTURE(managed, "a key is known from its draw until it is settled")
    {
        auto const known = [&](std::uint32_t key) {
            auto request = request_of(key, 1, series);
            request.owner_id = owner;
            return manager.knows_key(request);
        };
        keep_in_reserve("s", 20);
        CHECK(outcome(ask(series, 1)) == "issued");
        cut();
        CHECK(outcome(ask(series, 2)) == "drawn");
        CHECK_FALSE(known(1));
        CHECK(known(2));
        CHECK_FALSE(known(3));
        connect();
        run_until([&] { return manager.figures().unsettled == 0; });
        CHECK_FALSE(known(2));
    }

    TEST_CASE_FIXTURE(managed, "a key in doubt is not drawn for in the next outage either")
    {
        keep_in_reserve("s", 20);
        // Its COMMIT loses the connection, so that nobody knows.
        run("create function public.fail() returns trigger language plpgsql as $$ begin "
            "perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(60); end $$; "
            "create constraint trigger fails after insert on gapless.ledger "
            "deferrable initially deferred for each row execute function public.fail()");
        allow_connections(false);
        auto const in_doubt = ask(series, 1);
        run_until([&] { return !queue.whole(); });
        cut();
        run("drop trigger fails on gapless.ledger");
        CHECK(outcome(in_doubt) == "outcome-unknown");
        CHECK(outcome(ask(series, 1)) == "outcome-unknown");
        CHECK(outcome(ask(series, 2)) == "drawn");

        connect();
        run_until([&] { return manager.figures().unsettled == 0 && rest("s") == 20; });
        cut();
        CHECK(outcome(ask(series, 1)) == "outcome-unknown");
        CHECK(outcome(ask(series, 3)) == "drawn");

        connect();
        run_until([&] { return manager.figures().unsettled == 0 && queue.whole(); });
        CHECK(outcome(ask(series, 1)) == "issued");
        cut();
        CHECK(outcome(ask(series, 1)) == "database-unavailable");
    }

    TEST_CASE_FIXTURE(managed, "a journal that another instance had is settled once that has ended")
    {
        bool first{};  // whether their journal is
        SUBCASE("begun before ours")
        {
            first = true;
        }
        SUBCASE("begun later") {}
        manager.stop();
        second.emplace(
            io,
            reserve_settings{.database_url = url(), .folder = folder.path},
            database_threads::connection_check{},
            queue,
            directory,
            nullptr
        );
        auto const granted = take(20);
        auto const answer = left(granted.ordinal, 1, 1);
        auto const later = left(granted.ordinal + 1, 1, 2);
        auto const is_ours_begun = [&] { return run("select count(*) from gapless.lease") == "2"; };
        if (!first)
        {
            second->start();
            run_until(is_ours_begun);
        }
        auto theirs = lease_journal::create(
            folder.path,
            run("select database_id || '-' || database_oid from gapless.epoch_state()"),
            instance
        );
        theirs->make_room(8'192);
        theirs->append(
            encode(lease_note::claiming{make_lease_id(), secret}) +
            encode(lease_note::claimed{incarnation}) +
            encode(lease_note::intent{lease, series, 20}) + encode(lease_note::granted{granted}) +
            encode(lease_note::left{lease, answer}, 1)
        );
        theirs->flush();
        if (first)
            second->start();
        auto const repeat = [&](lease_left const& answer) {
            auto request = request_of(0, 1, series);
            request.owner_id = owner;
            request.key = answer.key;
            request.reference = answer.reference;
            auto const told = std::make_shared<std::string>();
            second->issue(std::move(request), std::make_unique<listener>(told));
            run_until([&] { return !told->empty(); });
            return *told;
        };
        // Their keys wait, however long they take.
        run_until(is_ours_begun);
        CHECK((!first || repeat(answer) == "outcome-unknown"));
        // So does one that was drawn after we had read their journal.
        theirs->append(encode(lease_note::left{lease, later}, 2));
        theirs->flush();
        {
            open_transaction const locked{
                url(),
                "select from gapless.counter where series_id = " + std::to_string(series) +
                    " for update"};
            theirs.reset();
            run_until([&] { return second->figures().unsettled == 2; });
            CHECK(repeat(answer) == "outcome-unknown");
            CHECK(repeat(later) == "outcome-unknown");
        }
        run_until([&] { return run("select count(*) from gapless.lease_record") == "2"; });
        run_until([&] { return second->figures().unsettled == 0; });
        run_until([&] { return repeat(answer) != "outcome-unknown"; });
        run_until([&] {
            return run("select count(*) from gapless.lease where status = 'open'") == "1";
        });
        CHECK(
            run("select count(*) from gapless.ledger where owner_id = " + std::to_string(owner)) ==
            "2"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(managed, "answers of several series are settled in a transaction a lease")
    {
        auto const other = create_series("t", {{1'000, 1'999}});
        keep_in_reserve("s", 50);
        keep_in_reserve("t", 50);
        cut();
        for (std::uint32_t n = 0; n < 40; ++n)
            CHECK(outcome(ask(n % 2 == 0 ? series : other, n)) == "drawn");
        CHECK(manager.figures().unsettled == 40);
        connect();
        run_until([&] { return manager.figures().unsettled == 0 && rest("t") == 50; });
        CHECK(
            run("select count(*), count(distinct xmin::text) from gapless.lease_record") == "40|2"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        managed,
        "a locked series keeps no other from being settled or taken" * doctest::test_suite("night")
    )
    {
        auto const other = create_series("t", {{1'000, 1'999}});
        create_series("u", {{2'000, 2'999}}, "another");
        keep_in_reserve("s", 20);
        keep_in_reserve("t", 20);
        auto const incarnations = [&] { return run("select incarnation from gapless.instance"); };
        open_transaction locked{
            url(),
            "select from gapless.counter where series_id = " + std::to_string(series) +
                " for update"};
        cut();
        for (std::uint32_t n = 0; n < 4; ++n)
            CHECK(outcome(ask(n % 2 == 0 ? series : other, n)) == "drawn");
        connect();
        run_until([&] { return manager.figures().unsettled == 2; });
        auto const before = incarnations();
        CHECK(run("select distinct series_id from gapless.lease_record") == std::to_string(other));
        keep_in_reserve("u", 20);
        CHECK(incarnations() == before);
        locked.roll_back();
        run_until([&] { return manager.figures().unsettled == 0 && rest("s") == 20; });
        CHECK(run("select count(*) from gapless.lease_record") == "4");
        auto const file = std::filesystem::directory_iterator
        {
            folder.path
            } -> path();
        CHECK(lease_journal::read(file).unsettled.empty());
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        managed, "what a take in doubt got is returned where it is not wanted any more"
    )
    {
        keep_in_reserve("s", 20);
        create_series("t", {{1'000, 1'999}});
        auto const of_t = run("select series_id from gapless.series where name = 't'");
        std::optional<open_transaction> locked{
            std::in_place,
            url(),
            "select from gapless.counter where series_id = " + of_t + " for update"};
        auto const contact_after = [&](std::string const& statement) {
            auto const moment = "'" + run(statement + "select clock_timestamp()") + "'";
            run_until([&] {
                return run("select contact > " + moment + " from gapless.instance") == "t";
            });
        };
        auto const content = [&] {
            return lease_journal::read(std::filesystem::directory_iterator { folder.path } -> path()
            );
        };
        run("update gapless.series set reserve_numbers = 20 where name = 't'");
        run_until([&] { return content().leases.size() == 2; });
        contact_after("update gapless.series set reserve_numbers = null where name = 't';");
        locked.reset();
        // As if the database had granted it, and its answer was lost.
        auto const said = content();
        done([&](auto& transaction) {
            return take_lease(
                       transaction,
                       said.leases.back().series_id,
                       {said.instance, said.incarnation, *said.secret},
                       said.leases.back().lease,
                       20,
                       8h
            )
                .has_value();
        });
        run_until([&] {
            return run("select status from gapless.lease where series_id = " + of_t) == "closed";
        });
        CHECK(rest("s") == 20);
    }
}

}  // namespace lease_manager_test
