#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

namespace gapless::test::cli_block_queue_test {

/// The first numbers of the blocks of dhl, in the order they are used.
std::string queue(cli const& gapless)
{
    std::string line;
    for (auto const& block : gapless.json({"block", "list", "dhl"}).elements())
        line += (line.empty() ? "" : " ") + block["first"].text();
    return line;
}

TEST_SUITE("blocks/block_queue_cli")
{
    TEST_CASE(
        "a block is shown by its id, with or without its series" * doctest::test_suite("night")
    )
    {
        cli gapless;
        gapless.stock();
        auto const id = gapless.json({"block", "list"})[1]["id"].text();
        CHECK(gapless.json({"block", "show", id})["first"] == "500");
        CHECK(gapless.json({"block", "show", "dhl", id})["first"] == "500");
        CHECK(gapless.code({"block", "show", "ups", id}) == 3);
        CHECK(gapless.code({"block", "show", "dhl", "99999"}) == 3);
        CHECK(gapless.code({"block", "list", "ups"}) == 3);
        CHECK(gapless.code({"block", "show", "x"}) == 2);
        CHECK(gapless.code({"block", "show", "dhl", id, "1"}) == 2);
    }

    TEST_CASE("--before and --last move a block" * doctest::test_suite("night"))
    {
        cli gapless;
        gapless.stock();
        auto const first = gapless.json({"block", "list"})[0]["id"].text();
        auto const second = gapless.json({"block", "list"})[1]["id"].text();
        CHECK(gapless.code({"block", "move", second, "--before", first, "-n"}) == 0);
        CHECK(queue(gapless) == "100 500");
        CHECK(gapless.code({"block", "move", second, "--before", first}) == 0);
        CHECK(queue(gapless) == "500 100");
        CHECK(gapless.code({"block", "move", "dhl", second, "--last"}) == 0);
        CHECK(queue(gapless) == "100 500");
    }

    TEST_CASE("a move says where to, once")
    {
        cli gapless;
        gapless.stock();
        auto const first = gapless.json({"block", "list"})[0]["id"].text();
        CHECK(gapless.code({"block", "move", first}) == 2);
        CHECK(gapless.code({"block", "move", first, "--last", "--before", first}) == 2);
        auto const unread = gapless.run({"block", "move", first, "--before", "x"});
        CHECK(unread.code == 2);
        CHECK(contains(unread.err, "'gapless block list' shows the ids"));
        CHECK(gapless.code({"block", "move", "99999", "--last"}) == 3);
    }

    TEST_CASE("a closed block keeps its rest for ever")
    {
        cli gapless;
        gapless.stock();
        auto const id = gapless.json({"block", "list"})[0]["id"].text();
        CHECK(gapless.code({"issue", "dhl", "--count", "10"}) == 0);
        CHECK(gapless.code({"block", "close", id, "--reason", "with\ndrawn"}) == 2);
        CHECK(gapless.code({"block", "close", id, "--reason", "withdrawn", "-n"}) == 0);
        CHECK(gapless.json({"block", "show", id})["state"] == "open");
        auto const end = gapless.run({"block", "close", id, "--reason", "withdrawn"});
        CHECK(end.code == 0);
        CHECK(contains(end.err, "90 numbers will never be issued"));
        CHECK(gapless.run({"issue", "dhl"}).out == "500\n");
        CHECK(gapless.code({"block", "close", id, "--reason", "again"}) == 5);
        CHECK(gapless.code({"verify"}) == 0);
    }
}

}  // namespace gapless::test::cli_block_queue_test
