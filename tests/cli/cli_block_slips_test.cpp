#include "cli_program.hpp"

#include <doctest/doctest.h>

namespace gapless::test {

namespace {

/// Series dhl has 250,001 numbers as a carrier assigns them, and dhl-express another block of it.
struct loading : cli
{
    loading()
    {
        database().create_series("dhl", {{4901214213405250000, 4901214213405500000}});
        database().create_series("dhl-express", {{4901214213605250001, 4901214213605500000}});
    }

    process_end load(std::vector<std::string> words)
    {
        words.insert(words.begin(), {"block", "load", "dhl"});
        return run(std::move(words));
    }

    std::string remaining() const
    {
        return json({"series", "show", "dhl"})["remaining"].get<std::string>();
    }

    std::string in_three_days()
    {
        return database().run("select (now() at time zone 'UTC' + interval '3 days')::date::text");
    }
};

/// A block that a person should look at first.
struct slip
{
    std::string code;
    std::string first;
    std::string last;
};

}  // namespace

TEST_SUITE("app/cli/block_slips")
{
    TEST_CASE_FIXTURE(loading, "each slip is told, ends with 5, and is loaded with --yes")
    {
        for (auto const& each :
             {slip{"short-validity", "4901214213505250000", "4901214213505500000"},
              slip{"other-length", "490121421350525000", "490121421350775000"},
              slip{"other-prefix", "4091214213505250000", "4091214213505500000"},
              slip{"other-size", "4901214213505250000", "4901214213505259999"},
              slip{"neighbour", "4901214213605500001", "4901214213605750000"}})
        {
            CAPTURE(each.code);
            std::vector<std::string> words{each.first, each.last};
            if (each.code == "short-validity")
                words.insert(words.end(), {"--valid-until", in_three_days()});
            auto const told = "warning: " + each.code + ": ";

            auto with = words;
            with.emplace_back("--dry-run");
            auto const dry = load(with);
            CHECK(dry.code == 0);
            CHECK(contains(dry.err, told));

            auto const refused = load(words);
            CHECK(refused.code == 5);
            CHECK(contains(refused.err, told));
            CHECK(contains(refused.err, "--yes"));
            CHECK(refused.out.empty());
            CHECK(remaining() == "250001");

            words.insert(words.end(), {"--yes", "-o", "json"});
            auto const loaded = load(words);
            REQUIRE(loaded.code == 0);
            CHECK(contains(loaded.err, told));
            auto const block = nlohmann::json::parse(loaded.out)["id"].get<std::string>();
            CHECK(code({"block", "withdraw", block, "--reason", "the test goes on"}) == 0);
        }
        CHECK(code({"verify"}) == 0);
    }

    TEST_CASE_FIXTURE(loading, "one slip in a file keeps all of it out")
    {
        temporary_file const file{"first,last\n4901214213505250000,4901214213505500000\n"
                                  "4091214213705250000,4091214213705500000\n"};
        auto const refused = load({"--file", file.path()});
        CHECK(refused.code == 5);
        CHECK(contains(refused.err, "warning: other-prefix: number 4091214213705250000 "));
        CHECK(remaining() == "250001");
        CHECK(load({"--file", file.path(), "--yes"}).code == 0);
        CHECK(remaining() == "750003");
    }

    TEST_CASE_FIXTURE(loading, "what would close at once, or lose digits, is refused for good")
    {
        auto const over = load(
            {"4901214213505250000", "4901214213505500000", "--valid-until", "2020-12-31", "--yes"}
        );
        CHECK(over.code == 2);
        CHECK(contains(over.err, "2020-12-31"));
        auto const zeros = load({"00123000", "00123999", "--yes"});
        CHECK(zeros.code == 2);
        CHECK(contains(zeros.err, "plain-8"));
        CHECK(load({"4,9E+18", "4901214213505500000", "--yes"}).code == 2);
        CHECK(remaining() == "250001");

        std::vector<std::string> const create{
            "series", "create", "eight", "--carrier", "e", "--format", "plain-8"};
        CHECK(code(create) == 0);
        CHECK(code({"block", "load", "eight", "00123000", "00123999"}) == 0);
        CHECK(json({"issue", "eight"})["numbers"][0] == "00123000");
    }

    TEST_CASE_FIXTURE(loading, "minutes after go-live nobody is told that the numbers end")
    {
        CHECK(code({"issue", "dhl", "--count", "100"}) == 0);
        auto const series = json({"series", "show", "dhl"});
        for (auto const& [name, value] : series["forecast"].items())
        {
            CAPTURE(name);
            CHECK(value == nullptr);
        }
    }
}

}  // namespace gapless::test
