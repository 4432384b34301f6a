#include "harness/cli_program.hpp"
#include "issuing/journal_bench.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <utility>

namespace gapless::test::cli_epoch_test {

/// A fenced database with the series dhl and short, which has five numbers, and a second person.
struct fenced : cli
{
    fenced()
    {
        stock();
        database().create_series("short", {{1000, 1004}}, "c");
        database().run("select gapless.fence_raise('it was put back', 'test')");
        database().run("create role " + anna + " login password 'secret' in role gapless_admin");
    }

    ~fenced() { database().run("drop role " + anna); }

    /// As the second person, then as the first.
    int open_as_both(std::vector<std::string> const& words)
    {
        CHECK(run_gapless(words, database().url_as(anna, "secret")).code == 4);
        return code(words);
    }

    std::string anna{"anna_" + database().name()};
    std::vector<std::string> open{
        "epoch", "open", "--confirm-epoch", "2", "--reason", "put back", "--yes"};
};

std::vector<std::string> operator+(
    std::vector<std::string> words, std::vector<std::string> const& more
)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST_SUITE("epochs/epoch_cli")
{
    TEST_CASE("what is left of a series is voided only where that was shown and confirmed")
    {
        fenced gapless;
        auto const wide = gapless.open + std::vector<std::string>{"--skip", "10"};
        auto const refused = gapless.run(wide);
        CHECK(refused.code == 5);
        CHECK(refused.out.find("short") != std::string::npos);
        CHECK(refused.out.find("dhl") == std::string::npos);
        CHECK(refused.err.find("--void-rest") != std::string::npos);
        CHECK(gapless.code(wide + std::vector<std::string>{"-n"}) == 0);
        CHECK(gapless.database().run("select max(epoch) from gapless.epoch") == "1");

        CHECK(gapless.open_as_both(wide + std::vector<std::string>{"--void-rest"}) == 0);
        CHECK(
            gapless.database().run("select voided from gapless.series_report() "
                                   "order by name") == "10 5"
        );
        CHECK(gapless.database().verify() == "gapless");
    }

    TEST_CASE(
        "a journal that is missing, or a folder without any, is named and proves nothing" *
        doctest::test_suite("night")
    )
    {
        new_journal_folder const kept;
        new_journal_folder const empty;
        fenced gapless;
        auto& database = gapless.database();
        auto const id = database.run("select database_id from gapless.epoch_state()");
        auto const oid = database.run("select opened_database_oid from gapless.epoch_state()");
        auto asked = life({});
        asked.life.database_id = id;
        asked.life.database_oid = oid;
        judge(*std::make_unique<journal>(kept.path), asked);
        auto const known = journal::read_each(kept.path, id, oid).at(0).id;
        database.run("select gapless.epoch_join('" + known + "', 'hall-1')");
        auto const with = [](std::vector<std::string> words, new_journal_folder const& folder) {
            return std::move(words) +
                   std::vector<std::string>{"--journal", folder.path, "--skip-leases"};
        };
        std::vector<std::string> const reconcile{"epoch", "reconcile", "--reason", "put back"};
        auto const compared = [&](new_journal_folder const& folder) {
            return gapless.run(reconcile + std::vector<std::string>{"--journal", folder.path});
        };
        CHECK(compared(kept).err.find("missing, ") == std::string::npos);
        CHECK(compared(empty).code == 5);
        CHECK(compared(empty).err.find("holds no journal of this database") != std::string::npos);
        CHECK(gapless.run(reconcile + std::vector<std::string>{"--journal", "/nowhere"}).code == 2);

        database.run("select gapless.epoch_join(gen_random_uuid(), 'hall-2')");
        CHECK(compared(kept).err.find("in use on host 'hall-2'") != std::string::npos);
        auto const refused = gapless.run(with(gapless.open, kept));
        CHECK(refused.code == 5);
        CHECK(refused.err.find("in use on host 'hall-2'") != std::string::npos);
        CHECK(refused.err.find("--skip") != std::string::npos);
        // Both mean the same journals, whatever their folders are called.
        std::vector<std::string> const skip{"--skip", "5"};
        auto const of_anna = gapless.database().url_as(gapless.anna, "secret");
        CHECK(run_gapless(with(gapless.open, kept) + skip, of_anna).code == 4);
        fs::copy(kept.path, empty.path, fs::copy_options::recursive);
        CHECK(gapless.code(with(gapless.open, empty) + skip) == 0);
    }

    TEST_CASE("a move that is refused at its end can still be called off or completed")
    {
        new_journal_folder const kept;
        fenced gapless;
        auto& database = gapless.database();
        CHECK(
            gapless.open_as_both(gapless.open + std::vector<std::string>{"--without-proof"}) == 0
        );
        std::vector<std::string> const of{"--reason", "moved", "--journal", kept.path, "--yes"};
        CHECK(gapless.code(std::vector<std::string>{"epoch", "prepare-move"} + of) == 0);
        auto const move = std::vector<std::string>{"epoch", "move", "--confirm-epoch", "3"} + of;
        auto const is_completed = [&] {
            fs::directory_iterator const file{kept.path};
            std::ifstream seal{file->path()};
            std::string const text{std::istreambuf_iterator<char>{seal}, {}};
            return !json_value::parse(text).at("completed_on").is_null();
        };
        database.run("create function refuse() returns trigger language plpgsql as $$ begin raise "
                     "exception 'no' using errcode = 'GL014'; end $$; create trigger refuse before "
                     "insert on gapless.epoch for each row execute function refuse()");
        CHECK(gapless.open_as_both(move) == 5);
        CHECK(!is_completed());
        database.run("drop trigger refuse on gapless.epoch");
        CHECK(gapless.code(move) == 0);
        CHECK(is_completed());
    }

    TEST_CASE("where a move was completed elsewhere no epoch is opened")
    {
        new_journal_folder const kept;
        fenced gapless;
        CHECK(
            gapless.open_as_both(gapless.open + std::vector<std::string>{"--without-proof"}) == 0
        );
        std::vector<std::string> const of{"--reason", "moved", "--journal", kept.path, "--yes"};
        CHECK(gapless.code(std::vector<std::string>{"epoch", "prepare-move"} + of) == 0);
        auto const seal = fs::directory_iterator
        {
            kept.path
            } -> path();
        std::ifstream before{seal};
        std::string text{std::istreambuf_iterator<char>{before}, {}};
        auto const place = text.find("null", text.find("completed_on"));
        REQUIRE(place != std::string::npos);
        std::ofstream{seal} << text.replace(place, 4, "\"the new server\"");
        auto const open = std::vector<std::string>{"epoch", "open", "--confirm-epoch", "3"} + of;
        auto const refused = gapless.run(open + std::vector<std::string>{"--skip-leases"});
        CHECK(refused.code == 5);
        CHECK(contains(refused.err, "completed on the new server"));
    }

    TEST_CASE("a folder that proves nothing is no proof that nothing is missing")
    {
        new_journal_folder const empty;
        cli const gapless;
        CHECK(gapless.code({"epoch", "show"}) == 0);
        auto const shown = gapless.run({"epoch", "show", "--journal", empty.path});
        CHECK(shown.code == 6);
        CHECK(contains(shown.err, "holds no journal of this database"));
    }

    TEST_CASE("a series can be skipped by another number than the others")
    {
        fenced gapless;
        CHECK(gapless.code(gapless.open + std::vector<std::string>{"--skip", "nobody=1"}) == 2);
        CHECK(gapless.code(gapless.open + std::vector<std::string>{"--skip", "dhl=x"}) == 2);
        CHECK(
            gapless.open_as_both(
                gapless.open + std::vector<std::string>{"--skip", "10", "--skip", "short=2"}
            ) == 0
        );
        CHECK(
            gapless.database().run("select next from gapless.series_report() order by name") ==
            "110 1002"
        );
    }
}

}  // namespace gapless::test::cli_epoch_test
