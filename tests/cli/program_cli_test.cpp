#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

#include <sstream>

namespace gapless::test::cli_program_test {

constexpr auto nowhere = "host=/nowhere";

TEST_SUITE("cli/program_cli")
{
    TEST_CASE("every command has a help on stdout, within 110 columns")
    {
        for (auto words :
             std::vector<std::vector<std::string>>{{}, {"issue"}, {"series"}, {"series", "create"}})
        {
            std::string usage{"Usage: gapless"};
            for (auto const& word : words)
                usage += ' ' + word;
            words.push_back("--help");
            auto const end = run_gapless(words, nowhere);
            CHECK(end.code == 0);
            CHECK(contains(end.out, usage));
            CHECK(end.err.empty());
            std::istringstream lines{end.out};
            for (std::string line; std::getline(lines, line);)
                CHECK_MESSAGE(line.size() <= 110, line);
        }
    }

    TEST_CASE("the version is told")
    {
        auto const end = run_gapless({"--version"}, nowhere);
        CHECK(end.code == 0);
        CHECK(end.out == "gapless " GAPLESS_VERSION "\n");
    }

    TEST_CASE("global options stand anywhere")
    {
        cli gapless;
        gapless.stock();
        auto const url = gapless.database().url();
        for (auto const& words : std::vector<std::vector<std::string>>{
                 {"-o", "json", "--database-url", url, "series", "show", "dhl"},
                 {"series", "--output", "json", "--database-url=" + url, "show", "dhl"},
                 {"series", "show", "dhl", "--database-url", url, "-o=json"}})
        {
            auto const end = run_gapless(words, nowhere);
            CHECK_MESSAGE(end.code == 0, end.err);
            CHECK(json_value::parse(end.out)["name"] == "dhl");
        }
    }

    TEST_CASE("a look at the server names what is wrong with it, and ends with findings")
    {
        cli gapless;
        auto& database = gapless.database();
        database.run("alter database " + database.name() + " set synchronous_commit = off");
        auto const end = gapless.run({"database", "check", "-o", "json"});
        CHECK(end.code == 6);
        auto found = false;
        for (auto const& row : json_value::parse(end.out).elements())
        {
            if (row["check"] == "data_checksums")
                CHECK(row["state"] == "ok");
            if (row["check"] == "synchronous_commit")
                found = row["state"] == "warning" && row["value"] == "off";
        }
        CHECK(found);
    }

    TEST_CASE("libpq's own variables say where the database is when nothing else does")
    {
        process_start start;
        start.words = {GAPLESS_BIN_DIR "/gapless", "series", "list"};
        start.environment = {
            {"GAPLESS_DATABASE_URL", std::nullopt}, {"PGHOST", "127.0.0.1"}, {"PGPORT", "1"}};
        auto const end = run_program(start);
        CHECK(end.code == 7);
        CHECK(contains(end.err, "port 1"));
    }

    TEST_CASE("a series may be called like a command")
    {
        cli gapless;
        CHECK(gapless.code({"series", "create", "list", "--carrier", "c"}) == 0);
        CHECK(gapless.json({"series", "show", "list"})["name"] == "list");
        gapless.database().create_series("block", {{5, 6}});
        CHECK(gapless.run({"issue", "block"}).out == "5\n");
    }

    TEST_CASE("completion scripts are valid in their shells")
    {
        for (std::string const shell : {"bash", "zsh", "fish"})
        {
            auto const script = run_gapless({"completion", shell}, nowhere);
            CHECK(script.code == 0);
            CHECK(contains(script.out, "gapless __complete"));
            auto const end =
                run_program({.words = {"/usr/bin/" + shell, "-n", "/dev/stdin"}}, script.out);
            CHECK_MESSAGE(end.code == 0, shell, ": ", end.err);
        }
    }

    TEST_CASE("the bash completion offers commands and the names of series")
    {
        cli gapless;
        gapless.stock();
        process_start start;
        start.words = {
            "/bin/bash",
            "-c",
            "PATH=" GAPLESS_BIN_DIR ":$PATH; source <(gapless completion bash);"
            "COMP_WORDS=(gapless series s); COMP_CWORD=2; _gapless; echo ${COMPREPLY[@]};"
            "COMP_WORDS=(gapless issue ''); COMP_CWORD=2; _gapless; echo ${COMPREPLY[@]}"};
        start.environment["GAPLESS_DATABASE_URL"] = gapless.database().url();
        CHECK(run_program(start).out == "show set\ndhl\n");
    }
}

}  // namespace gapless::test::cli_program_test
