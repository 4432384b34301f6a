#include "access/token_text.hpp"
#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

namespace gapless::test::cli_token_test {

TEST_SUITE("app/cli/token")
{
    TEST_CASE("a token is shown once, in full")
    {
        cli gapless;
        gapless.stock();
        auto const created = gapless.json_text(
            {"token",
             "create",
             "--name",
             "up",
             "--scope",
             "issue,read",
             "--scope",
             "admin",
             "--series",
             "dhl"}
        );
        auto const token = json_value::parse(created);
        CHECK(
            member_names(created) ==
            std::vector<std::string>{
                "id",
                "name",
                "scopes",
                "series",
                "expires_at",
                "rate",
                "burst",
                "daily_quota",
                "token"}
        );
        CHECK(token["scopes"].dump() == R"(["issue","read","admin"])");
        CHECK(token["series"].dump() == R"(["dhl"])");
        CHECK(token["expires_at"] == nullptr);
        CHECK(read_token(token["token"].text()).has_value());

        auto const listed = gapless.run({"token", "list", "-o", "json"}).out;
        CHECK_FALSE(contains(listed, token["token"].text()));
        CHECK(json_value::parse(listed)[0]["state"] == "in force");
    }

    TEST_CASE("limits of a token are shown, and checked where they are given")
    {
        cli const gapless;
        auto const create = [&](std::vector<std::string> const& limits) {
            std::vector<std::string> words{"token", "create", "--name", "x", "--scope", "issue"};
            words.insert(words.end(), limits.begin(), limits.end());
            return gapless.run(words);
        };
        CHECK(create({"--rate", "50", "--burst", "100", "--daily-quota", "20000"}).code == 0);
        CHECK(create({"--rate", "0", "--daily-quota", "0"}).code == 0);
        CHECK(create({}).code == 0);
        auto const listed = gapless.json({"token", "list"});
        CHECK(listed[0]["rate"] == "50");
        CHECK(listed[0]["burst"] == "100");
        CHECK(listed[0]["daily_quota"] == "20000");
        CHECK(listed[1]["rate"] == "0");
        CHECK(listed[1]["burst"] == nullptr);
        CHECK(listed[1]["daily_quota"] == "0");
        CHECK(listed[2]["rate"] == nullptr);
        CHECK(listed[2]["daily_quota"] == nullptr);
        CHECK(contains(gapless.run({"token", "list"}).out, "20000"));

        for (std::vector<std::string> const& limits :
             {std::vector<std::string>{"--rate", "-1"},
              {"--rate", "1.5"},
              {"--rate", "1000001"},
              {"--rate", "5", "--burst", "0"},
              {"--burst", "5"},
              {"--daily-quota", "many"}})
        {
            auto const refused = create(limits);
            CHECK(refused.code == 2);
            CHECK(contains(refused.err, limits[limits.size() - 2]));
        }
    }

    TEST_CASE("a token may end by span, date or moment, but not in the past")
    {
        cli const gapless;
        auto const create = [&](std::string const& when) {
            return gapless.run(
                {"token",
                 "create",
                 "--name",
                 "x",
                 "--scope",
                 "read",
                 "--expires",
                 when,
                 "-o",
                 "json"}
            );
        };
        CHECK(
            json_value::parse(create("2099-12-31").out)["expires_at"] ==
            "2099-12-31T23:59:59.999999Z"
        );
        CHECK(
            json_value::parse(create("2099-12-31T12:00:00+02:00").out)["expires_at"] ==
            "2099-12-31T10:00:00.000000Z"
        );
        CHECK(create("30d").code == 0);
        CHECK(create("2001-01-01").code == 2);
        CHECK(create("soon").code == 2);
    }

    TEST_CASE("scopes and names are checked")
    {
        cli const gapless;
        CHECK(gapless.code({"token", "create", "--name", "x", "--scope", "root"}) == 2);
        CHECK(gapless.code({"token", "create", "--name", "x", "--scope", "issue,,read"}) == 2);
        CHECK(gapless.code({"token", "create", "--name", "", "--scope", "issue"}) == 2);
        CHECK(gapless.code({"token", "create", "--scope", "issue"}) == 2);
        CHECK(gapless.json({"token", "list"}).empty());
    }

    TEST_CASE("a revoked token stays in the list, out of force")
    {
        cli const gapless;
        auto const token = gapless.json({"token", "create", "--name", "x", "--scope", "read"});
        auto const id = token["id"].text();
        CHECK(gapless.code({"token", "revoke", id, "-n"}) == 0);
        CHECK(gapless.json({"token", "list"})[0]["state"] == "in force");
        CHECK(gapless.json({"token", "revoke", id})["state"] == "revoked");
        CHECK(gapless.code({"token", "revoke", id}) == 0);
        CHECK(gapless.code({"token", "revoke", "x"}) == 2);
    }

    TEST_CASE("a dry run makes no token")
    {
        cli const gapless;
        auto const token =
            gapless.json({"token", "create", "--name", "x", "--scope", "read", "-n"});
        CHECK(token["id"] == nullptr);
        CHECK(token["token"] == nullptr);
        CHECK(token["name"] == "x");
        CHECK(gapless.json({"token", "list"}).empty());
    }
}

}  // namespace gapless::test::cli_token_test
