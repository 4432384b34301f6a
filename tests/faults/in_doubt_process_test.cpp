#include "harness/http_client.hpp"
#include "harness/private_server.hpp"

#include <doctest/doctest.h>

#include <future>

namespace in_doubt_test {

using namespace gapless::test;
using namespace std::chrono_literals;

/// A server whose COMMITs wait for a synchronous standby that never comes; those of the test do
/// not. A COMMIT whose wait is cut short is in doubt: it is on this server, and nobody has said so.
struct standby_away : private_server
{
    standby_away()
    {
        // A setting of the database may not hide that a COMMIT was cut short.
        run("alter database gapless set client_min_messages = 'error'");
        run("select gapless.issue('s')");
        run("select gapless.issue_ranges('s', 5, 'held', null, 600)");
        set("synchronous_standby_names", "'nobody'");
        set("synchronous_commit", "'local'");
        cluster.stop();
        cluster.start();
    }

    /// From now on nobody waits for a standby.
    void do_without_standby() const { set("synchronous_standby_names", "''"); }

    /// Ends the wait of every COMMIT by this function until the work is done.
    template <class Work>
    auto cut_short(std::string const& by, Work work) const
    {
        auto done = std::async(std::launch::async, std::move(work));
        while (done.wait_for(5ms) != std::future_status::ready)
            run("select " + by + "(pid) from pg_stat_activity where wait_event = 'SyncRep'");
        return done.get();
    }

    /// Ends one wait, once there is one.
    bool cut_one_short(std::string const& by) const
    {
        return eventually([&] {
            return run("select " + by +
                       "(pid) from pg_stat_activity where wait_event = 'SyncRep' limit 1") == "t";
        });
    }

    /// "<status> <problem> <executed>", or "<status>" and whether it is a replay.
    std::string ask(
        service_process const& service,
        std::string const& target,
        std::string const& body,
        std::string const& key
    ) const
    {
        http_client client{service.address()};
        auto const got = client
                             .exchange(
                                 {.method = "POST",
                                  .target = target,
                                  .fields =
                                      {{"Authorization", "Bearer " + shop.token},
                                       {"Content-Type", "application/json"},
                                       {"Idempotency-Key", key}},
                                  .body = body}
                             )
                             .answer;
        if (!got)
            return "no answer";
        auto text = std::to_string(got->status);
        for (auto const* part : {"outcome-unknown", R"("executed":"unknown")"})
            if (got->body.find(part) != std::string::npos)
                text += std::string{" "} + part;
        if (got->field("idempotency-replayed") == "true")
            text += " again";
        return text;
    }

    /// How the command line program ends.
    process_end command(std::vector<std::string> words) const
    {
        words.insert(words.begin(), program_path("gapless"));
        return run_program(
            {.words = words, .environment = {{"GAPLESS_DATABASE_URL", cluster.url("gapless")}}}
        );
    }
};

struct posted
{
    std::string target;
    std::string body;
    std::string count_of_effects;  // in the database
};

bool has(std::string const& text, std::string const& part)
{
    return text.find(part) != std::string::npos;
}

TEST_SUITE("faults/in_doubt_process")
{
    TEST_CASE_FIXTURE(
        standby_away,
        "a change in doubt at COMMIT is unknown, so is its replay, and its key tells" *
            doctest::test_suite("night")
    )
    {
        service_process service{bench->url()};
        service.wait_ready();
        auto const held = run("select format('1%s%s', series_id, ordinal) from gapless.hold");
        posted const all[] = {
            {"/v1/series/s/blocks",
             R"({"first":"200","last":"299"})",
             "select count(*) - 1 from gapless.block"},
            {"/v1/series/s/events",
             R"({"kind":"printed","ranges":[{"first":"100","last":"100"}]})",
             "select count(*) from gapless.number_event where kind = 'printed'"},
            {"/v1/issuances/" + held + "/confirm",
             "",
             "select count(*) from gapless.hold where isempty(held)"},
            {"/v1/series",
             R"({"name":"new","carrier":"c"})",
             "select count(*) - 1 from gapless.series"}};
        std::string const unknown{R"(503 outcome-unknown "executed":"unknown")"};
        std::string const ways[] = {"pg_cancel_backend", "pg_terminate_backend"};
        for (std::size_t n = 0; n < std::size(all); ++n)
        {
            auto const& change = all[n];
            CAPTURE(change.target);
            auto const post = [&] {
                return ask(service, change.target, change.body, "key " + std::to_string(n));
            };
            CHECK(cut_short(ways[n % 2], post) == unknown);
            CHECK(run(change.count_of_effects) == "1");
            // What only this server has is not shown to anybody who asks again.
            CHECK(cut_short(ways[(n + 1) % 2], post) == unknown);
            CHECK(run(change.count_of_effects) == "1");
        }
        do_without_standby();
        for (std::size_t n = 0; n < std::size(all); ++n)
        {
            CAPTURE(all[n].target);
            auto const again = ask(service, all[n].target, all[n].body, "key " + std::to_string(n));
            CHECK((again == "200 again" || again == "201 again"));
            CHECK(run(all[n].count_of_effects) == "1");
        }
        CHECK(run("select count(*) from gapless.verify()") == "0");
    }

    TEST_CASE_FIXTURE(
        standby_away,
        "the command line asks again with the key of what is in doubt" *
            doctest::test_suite("night")
    )
    {
        auto issued = std::async(std::launch::async, [this] {
            return command({"issue", "s", "--count", "2", "--key", "k"});
        });
        CHECK(cut_one_short("pg_terminate_backend"));
        // It asks once more, and that waits, too: only the other server could vouch for it.
        CHECK(eventually([&] {
            return run("select exists (select from pg_stat_activity where wait_event = 'SyncRep')"
                   ) == "t";
        }));
        CHECK(issued.wait_for(0s) == std::future_status::timeout);
        do_without_standby();
        auto const end = issued.get();
        CHECK(end.code == 0);
        CHECK(end.out == "106\n107\n");
        CHECK(run("select sum(count) from gapless.ledger") == "8");
    }

    TEST_CASE_FIXTURE(
        standby_away, "an interrupted COMMIT is not denied" * doctest::test_suite("night")
    )
    {
        process_start start;
        start.words = {GAPLESS_BIN_DIR "/gapless", "issue", "s"};
        start.environment["GAPLESS_DATABASE_URL"] = bench->url();
        process program{start};
        CHECK(eventually([&] {
            return run("select exists (select from pg_stat_activity where wait_event = 'SyncRep')"
                   ) == "t";
        }));
        program.send(SIGINT);
        auto const end = program.finish();
        CHECK(end.code == 1);
        CHECK(has(end.err, "it is not known whether the numbers were issued; the same key tells"));
        CHECK(has(end.err, "gapless issue s --count 1 --key "));
        CHECK_FALSE(has(end.err, "nothing was changed"));
        do_without_standby();
        CHECK(run("select sum(count) from gapless.ledger") == "7");
    }

    TEST_CASE_FIXTURE(
        standby_away,
        "what stays in doubt the command line tells, and changes once" *
            doctest::test_suite("night")
    )
    {
        std::string const way{"pg_cancel_backend"};
        auto const issued = cut_short(way, [&] {
            return command({"issue", "s", "--count", "2", "--key", "k"});
        });
        CHECK(issued.code == 1);
        CHECK(issued.out.empty());
        CHECK(has(issued.err, "it is not known whether the numbers were issued"));
        CHECK(has(issued.err, "--key k"));
        auto const loaded = cut_short(way, [&] {
            return command({"block", "load", "s", "999", "999", "--yes"});
        });
        CHECK(loaded.code == 1);
        CHECK(loaded.out.empty());
        CHECK(has(loaded.err, "COMMIT"));
        CHECK(run("select sum(count) from gapless.ledger") == "8");
        CHECK(run("select count(*) from gapless.block") == "2");

        do_without_standby();
        CHECK(command({"issue", "s", "--count", "2", "--key", "k"}).out == "106\n107\n");
        CHECK(command({"block", "load", "s", "999", "999", "--yes"}).code == 5);
        CHECK(run("select count(*) from gapless.verify()") == "0");
    }
}

}  // namespace in_doubt_test
