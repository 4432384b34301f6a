#include "app/commands.hpp"
#include "app/completion.hpp"

#include <doctest/doctest.h>

namespace gapless::cli::cli_completion_test {

/// The candidates for the last of the words, joined by blanks.
std::string candidates(std::vector<std::string> const& words)
{
    auto const nouns = all_commands();
    std::string text;
    for (auto const& each : complete(nouns, words, [] {
             return std::vector<std::string>{"dhl-paket", "ups"};
         }))
        text += (text.empty() ? "" : " ") + each;
    return text;
}

TEST_SUITE("cli/completion")
{
    TEST_CASE("nouns, then verbs")
    {
        CHECK(candidates({"s"}) == "series");
        CHECK(candidates({"migrate", ""}) == "up status plan check");
        CHECK(candidates({"-o", "json", "migrate", "s"}) == "status");
    }

    TEST_CASE("the name of a series where one is due")
    {
        CHECK(candidates({"series", "show", ""}) == "dhl-paket ups");
        CHECK(candidates({"block", "load", "--reference", "x", "d"}) == "dhl-paket");
        CHECK(candidates({"issue", "dhl-paket", ""}).empty());
        CHECK(candidates({"series", "create", ""}).empty());
    }

    TEST_CASE("options of the verb and global ones")
    {
        CHECK(candidates({"block", "load", "--v"}) == "--valid-until --version");
        CHECK(candidates({"issue", "--dry"}) == "--dry-run");
        CHECK(candidates({"format", "show", ""}).find("upu-s10") != std::string::npos);
    }

    TEST_CASE("values of options with a fixed choice, files for the others")
    {
        CHECK(candidates({"series", "list", "-o", ""}) == "table json csv");
        CHECK(candidates({"series", "list", "--output", "c"}) == "csv");
        CHECK(candidates({"carrier", "set", "dhl", "--four-eyes", ""}) == "on off");
        CHECK(candidates({"series", "set", "dhl", "--on-release", ""}) == "reissue void");
        CHECK(candidates({"completion", ""}) == "bash zsh fish");
        CHECK(candidates({"token", "create", "--scope", "a"}) == "admin");
        CHECK(candidates({"notice", "list", "--kind", "series.l"}) == "series.low");
        CHECK(candidates({"block", "load", "s", "--file", ""}).empty());
    }

    TEST_CASE("nothing typed, nothing known")
    {
        CHECK(candidates({}).find("issue series block carrier proposal number") == 0);
        CHECK(candidates({"nonsense", "x"}).empty());
    }
}

}  // namespace gapless::cli::cli_completion_test
