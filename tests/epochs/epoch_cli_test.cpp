#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

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
