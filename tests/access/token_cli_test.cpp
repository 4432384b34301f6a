#include "access/token_text.hpp"
#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

namespace gapless::test::cli_token_test {

TEST_SUITE("access/token_cli")
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

    TEST_CASE("a revoked token stays in the list, out of force")
    {
        cli const gapless;
        CHECK(gapless.code({"token", "create", "--name", "x ", "--scope", "read"}) == 2);
        auto const token = gapless.json({"token", "create", "--name", "x", "--scope", "read"});
        auto const id = token["id"].text();
        CHECK(gapless.json({"token", "revoke", id})["state"] == "revoked");
        CHECK(gapless.json({"token", "show", id})["state"] == "revoked");
        auto const unread = gapless.run({"token", "revoke", "x"});
        CHECK(unread.code == 2);
        CHECK(contains(unread.err, "'gapless token list' shows the ids"));
    }
}

}  // namespace gapless::test::cli_token_test
