#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

namespace gapless::test::cli_proposal_test {

/// Blocks of the carrier of series s are loaded by two people; anna and ben have roles.
struct two_people : cli
{
    two_people()
    {
        database().create_series("s", {{1000, 1999}});
        for (std::string const who : {"anna", "ben"})
            database().run(
                "create role " + role(who) + " login password 'test' in role gapless_admin"
            );
        CHECK(json({"carrier", "set", "carrier", "--four-eyes", "on"})["four_eyes"] == true);
    }

    ~two_people()
    {
        for (std::string const who : {"anna", "ben"})
            database().run("drop role " + role(who));
    }

    std::string role(std::string const& who) { return who + "_" + database().name(); }

    process_end as(std::string const& who, std::vector<std::string> words)
    {
        words.insert(words.end(), {"-o", "json"});
        return run_gapless(std::move(words), database().url_as(role(who), "test"));
    }

    process_end propose(std::string const& first, std::string const& last)
    {
        return as("anna", {"block", "load", "s", first, last});
    }

    int confirm(std::string const& who, std::string const& id)
    {
        return as(who, {"proposal", "confirm", id}).code;
    }

    std::string remaining() const { return json({"series", "show", "s"})["remaining"].text(); }

    std::string state(std::size_t place)
    {
        return json({"proposal", "list"})[place]["state"].text();
    }
};

TEST_SUITE("blocks/proposal_cli")
{
    TEST_CASE_FIXTURE(two_people, "who confirms is warned of what has been loaded since")
    {
        CHECK(as("anna", {"block", "load", "s", "200000000", "200000999", "--yes"}).code == 4);
        database().create_series("t", {{200'000'500, 200'000'501}}, "elsewhere");
        auto const dry = as("ben", {"proposal", "confirm", "1", "--dry-run"});
        CHECK(dry.code == 0);
        CHECK(contains(dry.err, "warning: other-series: "));
    }

    TEST_CASE_FIXTURE(two_people, "what one role proposes ends with 4, and another one loads it")
    {
        auto const proposed = propose("2000", "2999");
        CHECK(proposed.code == 4);
        CHECK(contains(proposed.err, "gapless proposal confirm 1"));
        auto const told = json_value::parse(proposed.out);
        CHECK(told["id"] == "1");
        CHECK(told["state"] == "proposed");
        CHECK(told["proposed_by"] == "role:" + role("anna"));
        CHECK(remaining() == "1000");

        // Both are the same user of this machine, and two people of the database.
        auto const own = as("anna", {"proposal", "confirm", "1"});
        CHECK(own.code == 4);
        CHECK(contains(
            own.err,
            "proposal 1 is your own: role:" + role("anna") +
                " proposed it, and you count as the same person; somebody else has to confirm it"
        ));
        database().run("update gapless.carrier set four_eyes = false");
        auto const freed = as("anna", {"proposal", "confirm", "1"});
        CHECK(contains(
            freed.err, "; reject it and load its blocks yourself, or let somebody else confirm it"
        ));
        CHECK(remaining() == "1000");
        auto const dry = as("ben", {"proposal", "confirm", "1", "--dry-run"});
        CHECK(dry.code == 0);
        CHECK(remaining() == "1000");
        CHECK(confirm("ben", "1") == 0);
        CHECK(remaining() == "2000");
        CHECK(state(0) == "confirmed");
        CHECK(confirm("ben", "1") == 5);
        CHECK(as("anna", {"proposal", "reject", "1"}).code == 5);
        CHECK(code({"verify"}) == 0);
    }

    TEST_CASE_FIXTURE(
        two_people,
        "a file is proposed as a whole, and a dry run proposes nothing" *
            doctest::test_suite("night")
    )
    {
        temporary_file const file{"first,last\n2000,2999\n3000,3999\n"};
        auto const dry = as("anna", {"block", "load", "s", "--file", file.path(), "--dry-run"});
        CHECK(dry.code == 0);
        CHECK(contains(dry.err, "dry run: would propose 2000 numbers in 2 blocks for s, "));
        CHECK(propose("20000", "29999").code == 5);  // warnings are confirmed before that
        temporary_file const late{"first,last\n2000,2999\n1500,1999\n"};
        auto const overlaps = as("anna", {"block", "load", "s", "--file", late.path()});
        CHECK(overlaps.code == 5);
        CHECK(contains(overlaps.err, ":3: column 1: first: 1500…1999 overlaps "));
        CHECK(json({"proposal", "list"}).empty());
        auto const proposed = as("anna", {"block", "load", "s", "--file", file.path()});
        CHECK(proposed.code == 4);
        auto const id = json_value::parse(proposed.out)["id"].text();
        CHECK(id == "1");  // nobody else drew one, and no block did
        auto const loaded = as("ben", {"proposal", "confirm", id});
        CHECK(loaded.code == 0);
        CHECK(json_value::parse(loaded.out)[1]["id"] == "3");
        CHECK(remaining() == "3000");
        auto const own = json_value::parse(propose("5000", "5999").out)["id"].text();
        CHECK(as("anna", {"proposal", "reject", own}).code == 0);
        CHECK(state(1) == "rejected");
        CHECK(confirm("ben", "1000") == 3);
        CHECK(confirm("ben", "x") == 2);
    }

    TEST_CASE_FIXTURE(two_people, "the blocks of a file of series are proposed one by one")
    {
        temporary_file const file{
            "name,carrier,first,last\na,carrier,20000,20999\nb,carrier,,\nc,carrier,40000,40999\n"};
        std::vector<std::string> words{"series", "create", "--file", file.path(), "--dry-run"};
        auto const dry = as("anna", words);
        CHECK(dry.code == 0);
        CHECK(contains(dry.err, "blocks that would be proposed, not loaded: 2"));
        CHECK_FALSE(contains(dry.err, "gapless proposal confirm"));
        CHECK(json({"proposal", "list"}).empty());
        words.pop_back();
        auto const created = as("anna", words);
        CHECK(created.code == 4);
        CHECK(contains(created.err, "blocks that are proposed, not loaded: 2"));
        auto const told = json_value::parse(created.out);
        CHECK(told["series"] == 3);
        CHECK(told["blocks"] == 0);
        for (std::size_t n = 0; n < 2; ++n)
        {
            auto const id = told["proposal_ids"][n].text();
            CHECK(contains(created.err, "\n  gapless proposal confirm " + id + '\n'));
            CHECK(confirm("ben", id) == 0);
        }
        CHECK(json({"series", "show", "c"})["remaining"] == "1000");
    }

    TEST_CASE_FIXTURE(
        two_people,
        "switching four eyes off ends with 4, and another role does it" *
            doctest::test_suite("night")
    )
    {
        std::vector<std::string> const off{"carrier", "set", "carrier", "--four-eyes", "off"};
        for (int n = 0; n < 2; ++n)
        {
            auto const alone = as("anna", off);
            CHECK(alone.code == 4);
            CHECK(contains(alone.err, "gapless carrier set 'carrier' --four-eyes off"));
        }
        CHECK(json({"carrier", "show", "carrier"})["four_eyes"] == true);
        CHECK(as("ben", off).code == 0);
        CHECK(json({"carrier", "show", "carrier"})["four_eyes"] == false);
        CHECK(as("ben", off).code == 0);
    }
}

}  // namespace gapless::test::cli_proposal_test
