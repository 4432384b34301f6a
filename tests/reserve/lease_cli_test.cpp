#include "harness/cli_program.hpp"
#include "postgres/transaction.hpp"
#include "reserve/lease_journal.hpp"
#include "reserve/lease_store.hpp"

#include <doctest/doctest.h>

namespace gapless::test::cli_lease_test {

using namespace std::chrono_literals;

/// `gapless` with a series dhl that has a reserve, and instances with leases of it.
struct leased
{
    leased()
    {
        gapless.stock();
        database = gapless.database().run(
            "select database_id || '-' || database_oid from gapless.epoch_state()"
        );
        CHECK(gapless.code({"series", "set", "dhl", "--reserve", "10"}) == 0);
        folder = std::filesystem::temp_directory_path() / to_text(make_lease_id());
        std::filesystem::create_directory(folder);
    }
    ~leased() { std::filesystem::remove_all(folder); }
    leased(leased const&) = delete;
    leased& operator=(leased const&) = delete;

    template <class Work>
    auto done(Work work)
    {
        return run_serializable(gapless.database().connection(), {}, work).value();
    }

    /// A lease of ten numbers.
    lease_id take(lease_id const& instance = make_lease_id())
    {
        auto const lease = make_lease_id();
        done([&](auto& transaction) {
            instance_identity who{.instance = instance, .secret = make_instance_secret()};
            who.incarnation =
                claim_instance(transaction, who, make_lease_id(), "packing-1").incarnation;
            return take_lease(transaction, 1, who, lease, 10, 8h).has_value();
        });
        return lease;
    }

    /// A journal with an answer for each of these ordinals. Returns its file.
    std::string journal(
        lease_id const& instance,
        lease_id const& lease,
        std::vector<std::int64_t> const& ordinals,
        bool granted = false
    )
    {
        auto file = lease_journal::create(folder, database, instance);
        std::uint64_t sequence = 0;
        if (granted)
            file->append(encode(lease_note::granted{{.lease = lease, .series_id = 1, .count = 10}})
            );
        for (auto const ordinal : ordinals)
        {
            lease_left left{.ordinal = ordinal, .count = 1, .owner_id = 1};
            left.key.bytes[0] = static_cast<unsigned char>(ordinal);
            left.answered_at = database_time{1'700'000'000s};
            file->append(encode(lease_note::left{lease, left}, ++sequence));
        }
        file->flush();
        return file->file().string();
    }

    cli gapless;
    std::string database;
    std::filesystem::path folder;
};

TEST_SUITE("reserve/lease_cli")
{
    TEST_CASE("what is recalled is named, with the host that has it" * doctest::test_suite("night"))
    {
        leased on;
        auto const lease = to_text(on.take());
        on.take();
        CHECK(on.gapless.code({"lease", "recall"}) == 2);
        CHECK(on.gapless.code({"lease", "recall", lease, "--all"}) == 2);
        auto const one = on.gapless.run({"lease", "recall", lease, "-o", "csv"});
        CHECK(one.code == 0);
        CHECK(contains(one.out, ",recalled,"));
        CHECK(contains(one.err, "10 numbers of dhl on lease at packing-1, last contact "));
        CHECK(on.gapless.json({"lease", "recall", "--all", "-n"})[1]["status"] == "recalled");
        CHECK(on.gapless.json({"lease", "list"})[1]["status"] == "open");
        CHECK(on.gapless.json({"lease", "recall", "--all", "--series", "dhl"}).size() == 2);
        CHECK(on.gapless.json({"lease", "list"})[1]["status"] == "recalled");
        CHECK(on.gapless.code({"lease", "write-off", lease, "--reason", "burnt"}) == 5);
    }

    TEST_CASE("who lacks numbers that are on lease is told how to have them returned")
    {
        leased on;
        on.take();
        auto const all = on.gapless.database().run("select remaining + 1 from gapless.stock");
        auto const issued = on.gapless.run({"issue", "dhl", "--count", all, "--key", "k"});
        CHECK(contains(
            issued.err, "more are on lease (10 numbers on lease at packing-1, last contact "
        ));
        CHECK(contains(
            issued.err,
            ") and stay there until somebody recalls them: gapless lease recall --all --series dhl"
        ));
        CHECK(on.gapless.json({"lease", "list"})[0]["status"] == "open");
        CHECK(on.gapless.code({"lease", "recall", "--all", "--series", "dhl"}) == 0);
        CHECK(contains(
            on.gapless.run({"issue", "dhl", "--count", all, "--key", "k"}).err,
            ") and were recalled: their instances return them"
        ));
    }

    TEST_CASE("a block that ends and a series that is paused say what is on lease")
    {
        leased on;
        on.take();
        CHECK(contains(on.gapless.run({"series", "pause", "dhl"}).err, "10 numbers of dhl on lease")
        );
        CHECK(contains(
            on.gapless.run({"block", "close", "1", "--reason", "torn"}).err,
            "10 numbers of dhl on lease at packing-1"
        ));
        CHECK(on.gapless.json({"lease", "list"})[0]["status"] == "recalled");
    }

    TEST_CASE(
        "a journal is settled from anywhere, as often as one likes" * doctest::test_suite("night")
    )
    {
        leased on;
        auto const instance = make_lease_id();
        auto const lease = on.take(instance);
        auto const file = on.journal(instance, lease, {1, 2, 5});
        auto const recover = [&](std::string const& what) {
            return on.gapless.json({"lease", "recover", what})[0];
        };
        CHECK(on.gapless.json({"lease", "recover", file, "-n"})[0]["settled"] == "3");
        auto const first = recover(file);
        CHECK(first["file"] == file);
        CHECK(first["instance"] == to_text(instance));
        CHECK(first["answers"] == "3");
        CHECK(first["settled"] == "3");
        CHECK(first["known"] == "0");
        CHECK(first["refused"] == "0");
        auto const again = recover(on.folder.string());
        CHECK(again["settled"] == "0");
        CHECK(again["known"] == "3");
        auto const left = on.gapless.json({"lease", "list"})[0];
        CHECK(left["settled"] == "3");
        CHECK(left["held"] == "7");
        CHECK(left["status"] == "open");
        CHECK(on.gapless.database().verify() == "gapless");
    }

    TEST_CASE("answers that were settled before are settled again where they were forgotten")
    {
        leased on;
        auto const instance = make_lease_id();
        auto const lease = on.take(instance);
        auto const name = on.journal(instance, lease, {1, 2});
        {
            auto const file = lease_journal::open(name);
            file->append(encode(lease_note::settled{2}));
            file->flush();
        }
        CHECK(on.gapless.json({"lease", "recover", name})[0]["settled"] == "2");
        std::filesystem::rename(name, name + ".20261124T050000Z.settled");
        CHECK(on.gapless.json({"lease", "recover", on.folder.string()})[0]["known"] == "2");
    }

    TEST_CASE("a lease that the database has forgotten is told, and nothing is settled")
    {
        leased on;
        auto const end = on.gapless.run(
            {"lease", "recover", on.journal(make_lease_id(), make_lease_id(), {1}), "-o", "json"}
        );
        CHECK(end.code == 6);
        CHECK(contains(end.err, "the database has forgotten lease"));
        CHECK(contains(end.err, "has not recorded"));
        // As after a restore: recorded for nobody, or issued to somebody since.
        auto& database = on.gapless.database();
        auto const series = database.run("select series_id from gapless.series where name = 'dhl'");
        auto const next =
            database.run("select next_ordinal from gapless.series_report('dhl') s join "
                         "gapless.counter using (series_id)");
        CHECK(on.gapless.code({"issue", "dhl"}) == 0);
        auto const recovered = [&] {
            return database.run(
                "select gapless.recovered_answers(" + series + ", array[" + next + ", " + next +
                " + 1], array[1, 2])"
            );
        };
        CHECK(recovered() == "0");
        database.run("select gapless.fence_raise('it was put back', 'test')");
        database.run(
            "select gapless.epoch_fill(" + series + ", " + next + " + 2, false, 'put back', 'me')"
        );
        CHECK(recovered() == "1");
        auto const again = on.gapless.run(
            {"lease",
             "recover",
             on.journal(make_lease_id(), make_lease_id(), {1}, true),
             "-o",
             "json"}
        );
        CHECK(again.code == 6);
        CHECK(contains(again.err, "two parcels"));
    }

    TEST_CASE("where settling raises the fence it ends, and says by file how far it came")
    {
        leased on;
        for (int n = 0; n < 2; ++n)
        {
            auto const instance = make_lease_id();
            on.journal(instance, on.take(instance), {1'000});  // not of the lease
        }
        auto const end = on.gapless.run({"lease", "recover", on.folder.string(), "-o", "json"});
        CHECK(end.code == 6);
        auto const files = json_value::parse(end.out);
        REQUIRE(files.size() == 2);
        CHECK(files[0]["refused"] == "1");
        CHECK(files[1]["refused"] == "0");
        CHECK(contains(end.err, "gapless epoch show"));
    }

    TEST_CASE("what is no journal of this database is not settled" * doctest::test_suite("night"))
    {
        leased on;
        CHECK(on.gapless.code({"lease", "recover", (on.folder / "none.lease").string()}) == 2);
        CHECK(on.gapless.code({"lease", "recover", on.folder.string()}) == 2);
        temporary_file const text{"this is no journal", ".lease"};
        CHECK(on.gapless.code({"lease", "recover", text.path()}) == 2);
        auto const elsewhere = on.database.substr(0, on.database.rfind('-')) + "-1";
        on.database = elsewhere;  // as it is after a restore
        auto const restored = on.journal(make_lease_id(), make_lease_id(), {});
        CHECK(on.gapless.json({"lease", "recover", restored})[0]["answers"] == "0");
        on.database = "another";
        auto const strange = on.journal(make_lease_id(), make_lease_id(), {1});
        CHECK(on.gapless.code({"lease", "recover", strange}) == 5);
    }

    TEST_CASE(
        "a drill says how many numbers were issued from the reserve" * doctest::test_suite("night")
    )
    {
        leased on;
        CHECK(on.gapless.code({"lease", "drill", "dhl"}) == 5);  // no instance has numbers
        auto const lease = on.take();
        CHECK(on.gapless.code({"lease", "drill", "dhl", "--seconds", "601"}) == 2);
        CHECK(contains(on.gapless.run({"lease", "drill", "dhl", "-n"}).err, "dry run"));
        CHECK(on.gapless.database().run("select drill_until is null from gapless.series") == "t");
        // This instance is never heard of again, and overdue: nobody waits for it.
        on.gapless.database().run("update gapless.lease set draw_until = now()");
        auto const end = on.gapless.run({"lease", "drill", "dhl", "--seconds", "1"});
        CHECK(end.code == 0);
        CHECK(contains(end.out, "the drill has ended; 0 numbers were issued from the reserve"));
        CHECK(contains(end.err, "no instance heard of the drill in time"));
        CHECK(on.gapless.database().run("select drill_until > now() from gapless.series") == "f");
        CHECK(to_text(lease).size() == 36);
    }

    TEST_CASE(
        "an epoch is opened with the journals of leases, or by saying that there are none" *
        doctest::test_suite("night")
    )
    {
        leased on;
        auto const instance = make_lease_id();
        auto const lease = on.take(instance);
        std::vector<std::string> const open{
            "epoch", "open", "--confirm-epoch", "2", "--reason", "put back", "--without-proof"};
        auto const with = [&](std::vector<std::string> const& more) {
            auto words = open;
            words.insert(words.end(), more.begin(), more.end());
            return on.gapless.run(words);
        };
        auto const refused = with({});
        CHECK(refused.code == 5);
        CHECK(contains(refused.err, to_text(instance) + " at packing-1"));
        CHECK(contains(refused.err, "--skip-leases"));
        CHECK(with({"--skip-leases"}).code == 4);  // proposed
        auto const file = on.journal(instance, lease, {1});
        CHECK(with({"--leases", file}).code == 4);
        CHECK(with({"--leases", on.folder.string()}).code == 4);
        CHECK(
            on.gapless.database().run(
                "select count(distinct after -> 'proof' -> 'leases' ->> 'instances') from "
                "gapless.audit_log where action = 'epoch.propose'"
            ) == "2"
        );
    }
}

}  // namespace gapless::test::cli_lease_test
