#include "harness/file_size_limit.hpp"
#include "proof/anchored.hpp"

#include <algorithm>

namespace gapless::test::cli_anchor_test {

TEST_SUITE("proof/anchor_cli")
{
    TEST_CASE("anchoring seals what there is, and writes the end of each chain as a line")
    {
        anchored gapless;
        gapless.issue("7");
        gapless.anchor({"-n"});
        CHECK(gapless.text().empty());
        CHECK(gapless.database().run("select count(*) from gapless.seal") == "0");
        auto const end = gapless.run({"anchor"});
        REQUIRE(end.code == 0);
        std::istringstream lines{end.out};
        std::string shared;
        std::string series;
        REQUIRE(std::getline(lines, shared));
        REQUIRE(std::getline(lines, series));
        CHECK(json_value::parse(shared)["series"] == "*");
        auto const head = json_value::parse(series);
        CHECK(head["series"] == "dhl");
        CHECK(head["ordinal"] == "7");
        CHECK(head["epoch"] == "1");
        CHECK(head["hash"].text().size() == 64);
        CHECK(gapless.database().run("select * from gapless.unsealed()").empty());
        // Nothing is new: no link is added, the same is said again.
        CHECK(gapless.run({"anchor"}).out == end.out);
    }

    TEST_CASE("anchors of a database that went on are no findings" * doctest::test_suite("night"))
    {
        anchored gapless;
        gapless.issue("3");
        gapless.anchor();
        gapless.issue("4");
        gapless.anchor({"dhl"});
        gapless.issue("1");
        CHECK(gapless.found() == "gapless");
        CHECK(gapless.found({"dhl"}) == "gapless");
    }

    TEST_CASE(
        "an anchor newer than the database names the first number that was forgotten" *
        doctest::test_suite("night")
    )
    {
        anchored gapless;
        gapless.issue("3");
        gapless.anchor();
        database back;
        gapless.copy_to(back);
        gapless.issue("1");
        gapless.anchor();
        gapless.issue("1");
        gapless.anchor();
        auto const end =
            run_gapless({"verify", "--anchors", gapless.file.path(), "-o", "json"}, back.url());
        CHECK(end.code == 6);
        CHECK(contains(end.out, "ordinals 4 to 4 had left by"));
        CHECK(contains(end.out, "ordinals 4 to 5 had left by"));
        CHECK(contains(end.out, "the database has forgotten them"));
        CHECK(gapless.found() == "gapless");
    }

    TEST_CASE(
        "anchors say what a restored database lacks, and stay findings in its next epoch" *
        doctest::test_suite("night")
    )
    {
        anchored gapless;
        gapless.issue("3");
        gapless.database().run("select from gapless.issue_ranges('dhl', 1, 'held', null, 600)");
        gapless.anchor();
        database back;
        gapless.copy_to(back);
        gapless.issue("2");
        gapless.anchor();
        auto const restored = [&](std::vector<std::string> words) {
            return run_gapless(std::move(words), back.url());
        };
        pqxx::connection admin{back.url()};
        run(admin, "select gapless.fence_raise('it was put back', 'test')");
        auto const show =
            restored({"epoch", "show", "--anchors", gapless.file.path(), "-o", "json"});
        CHECK(json_value::parse(show.out)["series"][0]["missing"] == "2");
        temporary_file const damaged{"half a line\n" + gapless.text()};
        auto const still = restored({"epoch", "show", "--anchors", damaged.path(), "-o", "json"});
        CHECK(still.out == show.out);
        CHECK(contains(still.err, damaged.path() + ":1: this line is no anchor"));
        auto const filled =
            restored({"epoch", "reconcile", "--reason", "r", "--anchors", damaged.path(), "-n"});
        CHECK(contains(filled.err, damaged.path() + ":1: this line is no anchor"));
        CHECK(contains(filled.err, "2 missing numbers were recorded"));
        // They prove what is missing, never that nothing is.
        CHECK(
            restored({"epoch",
                      "open",
                      "--confirm-epoch",
                      "2",
                      "--reason",
                      "r",
                      "--anchors",
                      gapless.file.path()})
                .code == 2
        );
        CHECK(
            restored({"epoch", "reconcile", "--reason", "r", "--anchors", gapless.file.path()})
                .code == 0
        );
        // It takes two administrators.
        auto const anna = "anna_" + back.name();
        back.run("create role " + anna + " login password 'secret' in role gapless_admin");
        std::vector<std::string> const open{
            "epoch", "open", "--confirm-epoch", "2", "--reason", "put back", "--skip", "5"};
        CHECK(run_gapless(open, back.url_as(anna, "secret")).code == 4);
        auto const opened = restored(open);
        CHECK(opened.code == 0);
        CHECK(contains(opened.err, "1 numbers are voided: they were held or free"));
        back.run("drop role " + anna);
        CHECK(restored({"issue", "dhl"}).out == "111\n");
        CHECK(restored({"verify", "--chain"}).code == 0);
        CHECK(restored({"anchor"}).code == 0);
        auto const end = restored({"verify", "--anchors", gapless.file.path(), "-o", "json"});
        CHECK(end.code == 6);
        CHECK(contains(end.out, ":4: the chain up to link"));
        CHECK(contains(end.out, "since then epoch 2 was opened at"));
        CHECK_FALSE(contains(end.out, ":2: "));  // what both lives share
    }

    TEST_CASE(
        "what was rewritten with its whole chain is found by the anchor alone" *
        doctest::test_suite("night")
    )
    {
        anchored gapless;
        gapless.issue("3");
        gapless.anchor();
        REQUIRE(
            gapless.database().run(
                "set local session_replication_role = replica; update gapless.ledger set reference "
                "= 'another'; delete from gapless.seal where series_id > 0; select gapless.seal(1)"
            ) == "f"
        );
        CHECK(gapless.code({"verify", "--chain"}) == 0);
        CHECK(contains(gapless.found(), "dhl: " + gapless.file.path() + ":2: the chain up to link")
        );
    }

    TEST_CASE(
        "anchors of another database, or of a series that is gone, are findings" *
        doctest::test_suite("night")
    )
    {
        anchored one;
        one.anchor();
        anchored other;
        // Databases of tests are copies of one, and say so.
        other.database().run("set local session_replication_role = replica; update gapless.epoch "
                             "set database_id = gen_random_uuid()");
        other.set_text(one.text());
        CHECK(contains(other.found(), ":1: an anchor of database "));
        auto const one_text = one.text();
        auto text = one_text;
        auto const of_another = text.find("\"database\":\"") + 12;
        text.replace(of_another, 8, "00000000");
        one.set_text(text);
        // The same link with the same hash, which proves nothing about this database.
        CHECK(contains(one.found(), one.file.path() + ":1: an anchor of database "));
        text = one_text;
        text.replace(text.find("\"dhl\""), 5, "\"dpd\"");
        one.set_text(text);
        CHECK(contains(one.found(), "dpd: " + one.file.path() + ":2: the series was anchored at "));
    }

    TEST_CASE(
        "a line that was cut off is a finding, and spoils no line after it" *
        doctest::test_suite("night")
    )
    {
        anchored gapless;
        gapless.anchor();
        auto const text = gapless.text();
        gapless.set_text(text.substr(0, text.size() - 20));
        gapless.anchor();
        auto const found = gapless.found();
        CHECK(contains(found, ":2: this line is no anchor"));
        CHECK(std::ranges::count(found, '\n') == 1);
        // The torn line was ended first: both new ones stand on lines of their own.
        std::istringstream lines{gapless.text()};
        std::vector<std::string> all;
        for (std::string line; std::getline(lines, line);)
            all.push_back(line);
        REQUIRE(all.size() == 4);
        CHECK(json_value::parse(all[2])["series"] == "*");
        CHECK(json_value::parse(all[3])["series"] == "dhl");
        // And both are compared.
        auto changed = gapless.text();
        auto& of_hash = changed[changed.rfind("\"hash\":\"") + 8];
        of_hash = of_hash == '0' ? '1' : '0';
        gapless.set_text(changed);
        CHECK(contains(gapless.found(), ":4: the chain up to link"));
    }

    TEST_CASE("a full disk leaves no half line" * doctest::test_suite("night"))
    {
        anchored gapless;
        gapless.anchor();
        auto const before = gapless.text();
        {
            file_size_limit const full{before.size() + 100};
            CHECK(gapless.code({"anchor", "--file", gapless.file.path()}) == 1);
        }
        CHECK(gapless.text() == before);
        gapless.anchor();
        CHECK(gapless.found() == "gapless");
    }

    TEST_CASE("empty lines are none, and what is repeated is compared once")
    {
        anchored gapless;
        gapless.anchor();
        auto const text = gapless.text();
        gapless.set_text("\n" + text + "\n" + text);
        CHECK(gapless.found() == "gapless");
        gapless.set_text("half\n" + text + "half\n" + text);
        CHECK(std::ranges::count(gapless.found(), '\n') == 1);
    }

    TEST_CASE("files that cannot be used are told by name")
    {
        anchored gapless;
        CHECK(gapless.code({"anchor", "nobody"}) == 3);
        auto const unwritable = gapless.run({"anchor", "--file", "/nowhere/anchors"});
        CHECK(unwritable.code == 1);
        CHECK(contains(unwritable.err, "/nowhere/anchors"));
        auto const full = gapless.run({"anchor", "--file", "/dev/full"});
        CHECK(full.code == 1);
        CHECK(contains(full.err, "cannot write the anchors to /dev/full"));
        CHECK(gapless.code({"verify", "--anchors", "/nowhere/anchors"}) == 2);
        CHECK(gapless.code({"verify", "--anchors", gapless.file.path()}) == 2);  // empty
        gapless.anchor();
        gapless.database().create_series("other", {{1, 9}});
        auto const none = gapless.run({"verify", "other", "--anchors", gapless.file.path()});
        CHECK(none.code == 2);
        CHECK(contains(none.err, "there is no anchor of series 'other'"));
    }

    TEST_CASE("nothing is sealed while the database is fenced")
    {
        anchored gapless;
        gapless.issue("3");
        gapless.database().run("select gapless.fence_raise('it was put back', 'test')");
        auto const end = gapless.run({"anchor"});
        CHECK(end.code == 5);
        CHECK(contains(end.err, "it was put back"));
        CHECK(gapless.database().run("select count(*) from gapless.seal") == "0");
    }
}

}  // namespace gapless::test::cli_anchor_test
