#include "reserve/leases.hpp"
#include "reserve/trusted_tokens.hpp"

namespace trusted_tokens_test {

using namespace gapless;
using namespace gapless::test;

std::string const secret(43, 'a');
std::string const other_secret(43, 'b');

trusted_token token_of(std::int32_t id)
{
    trusted_token token;
    token.token_id = id;
    token.owner_id = 40 + id;
    token.name = "printer-" + std::to_string(id);
    token.secret_check = check_of(hash_token_secret(secret));
    token.scopes = static_cast<unsigned>(scope::issue);
    return token;
}

trusted_tokens with(trusted_token token)
{
    trusted_tokens tokens{{.rate = 5, .burst = 6, .daily_quota = 7}};
    tokens.replace({std::move(token)}, 1);
    return tokens;
}

std::string found(trusted_tokens& tokens, std::int32_t id, std::string_view shown)
{
    auto const who = tokens.find({id, shown}, noon);
    return who ? (*who)->name : std::string{name_of(who.error().kind)};
}

TEST_SUITE("reserve/trusted_tokens")
{
    TEST_CASE("a token is trusted by its secret alone, for its own scopes")
    {
        auto token = token_of(1);
        token.series = {"dhl-paket"};
        auto tokens = with(token);
        auto const who = tokens.find({1, secret}, noon);
        REQUIRE(who.has_value());
        CHECK((*who)->token_id == 1);
        CHECK((*who)->owner_id == 41);
        CHECK((*who)->hash == hash_token_secret(secret));
        CHECK((*who)->may(scope::issue));
        for (auto const other : {scope::read, scope::load, scope::admin})
            CHECK_FALSE((*who)->may(other));
        CHECK((*who)->sees("dhl-paket"));
        CHECK_FALSE((*who)->sees("dpd"));
        CHECK(found(tokens, 1, other_secret) == "unauthenticated");
        CHECK(found(tokens, 2, secret) == "database-unavailable");
        CHECK(tokens.knows_owner(41));
        CHECK_FALSE(tokens.knows_owner(42));
    }

    TEST_CASE("what the database keeps of a secret opens nothing")
    {
        auto token = token_of(1);
        token.secret_check = hash_token_secret(secret);
        auto tokens = with(token);
        CHECK(found(tokens, 1, secret) == "unauthenticated");
    }

    TEST_CASE("a token ends at its moment, also one that was shown before")
    {
        auto token = token_of(1);
        token.expires_at = noon + 1us;
        auto tokens = with(token);
        CHECK(tokens.find({1, secret}, noon).has_value());
        CHECK_FALSE(tokens.find({1, secret}, noon + 1us).has_value());
    }

    TEST_CASE("a secret that was shown before does not let another one in")
    {
        auto tokens = with(token_of(1));
        CHECK(found(tokens, 1, secret) == "printer-1");
        CHECK(found(tokens, 1, other_secret) == "unauthenticated");
        CHECK(found(tokens, 1, secret) == "printer-1");
    }

    TEST_CASE("limits are the token's own, else the service's")
    {
        auto tokens = with(token_of(1));
        auto who = tokens.find({1, secret}, noon).value();
        CHECK(who->limits.rate == 5);
        CHECK(who->limits.burst == 6);
        CHECK(who->limits.daily_quota == 7);
        auto token = token_of(1);
        token.rate = 1;
        token.daily_quota = 3;
        tokens.replace({token}, 1);
        who = tokens.find({1, secret}, noon).value();
        CHECK(who->limits.rate == 1);
        CHECK(who->limits.burst == 0);
        CHECK(who->limits.daily_quota == 3);
    }

    TEST_CASE("those that are not named any more are not trusted any more")
    {
        auto tokens = with(token_of(1));
        tokens.replace({token_of(2)}, 1);
        CHECK(found(tokens, 1, secret) == "database-unavailable");
        CHECK(found(tokens, 2, secret) == "printer-2");
    }

    TEST_CASE("of more than 10,000 the first are trusted, and those in use are asked for")
    {
        trusted_tokens tokens{{}};
        std::vector<trusted_token> many(trusted_tokens::tokens_max, token_of(1));
        for (std::size_t n = 0; n < many.size(); ++n)
            many[n].token_id = static_cast<std::int32_t>(n + 1);
        tokens.note_used(7);
        tokens.note_used(5);
        tokens.note_used(7);
        tokens.replace(many, many.size());
        CHECK(found(tokens, 1, secret) == "printer-1");
        CHECK(tokens.left_out() == 0);
        CHECK(tokens.used().empty());
        many.push_back(token_of(20'000));
        tokens.replace(many, 30'000);
        CHECK(tokens.left_out() == 20'000);
        CHECK(tokens.used() == std::vector{7, 5});
        CHECK(found(tokens, 1, secret) == "printer-1");
        CHECK(found(tokens, 20'000, secret) == "database-unavailable");
        for (std::int32_t id = 100; id < 100 + 3 * static_cast<int>(many.size()); ++id)
            tokens.note_used(id);
        CHECK(tokens.used().size() == trusted_tokens::tokens_max);
        CHECK(tokens.used().front() == 99 + 3 * static_cast<int>(many.size()));
    }
}

}  // namespace trusted_tokens_test
