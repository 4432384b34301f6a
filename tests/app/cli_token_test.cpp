#include "cli_program.hpp"
#include "domain/token.hpp"

#include <doctest/doctest.h>

namespace gapless::test {

TEST_SUITE("app/cli/token")
{
    TEST_CASE("a token is shown once, in full")
    {
        cli gapless;
        gapless.stock();
        auto const token = gapless.json(
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
        std::vector<std::string> names;
        for (auto const& [name, value] : token.items())
            names.push_back(name);
        CHECK(
            names ==
            std::vector<std::string>{"id", "name", "scopes", "series", "expires_at", "token"}
        );
        CHECK(token["scopes"].dump() == R"(["issue","read","admin"])");
        CHECK(token["series"].dump() == R"(["dhl"])");
        CHECK(token["expires_at"] == nullptr);
        CHECK(read_token(token["token"].get<std::string>()).has_value());

        auto const listed = gapless.run({"token", "list", "-o", "json"}).out;
        CHECK_FALSE(contains(listed, token["token"].get<std::string>()));
        CHECK(nlohmann::json::parse(listed)[0]["state"] == "in force");
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
            nlohmann::json::parse(create("2099-12-31").out)["expires_at"] ==
            "2099-12-31T23:59:59.999999Z"
        );
        CHECK(
            nlohmann::json::parse(create("2099-12-31T12:00:00+02:00").out)["expires_at"] ==
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
        auto const id = token["id"].get<std::string>();
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
        CHECK(token["token"] == nullptr);
        CHECK(gapless.json({"token", "list"}).empty());
    }
}

}  // namespace gapless::test
