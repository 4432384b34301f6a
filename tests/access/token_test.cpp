#include "access/token_text.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace gapless;

TEST_SUITE("access/token")
{
    TEST_CASE("a token reads back into its id and secret")
    {
        auto const secret = make_token_secret();
        auto const text = to_token_text(17, secret);
        auto const parts = read_token(text);
        REQUIRE(parts);
        CHECK(parts->token_id == 17);
        CHECK(parts->secret == secret);
    }

    TEST_CASE("one changed, missing or added character is noticed without a database")
    {
        auto const text = to_token_text(17, make_token_secret());
        for (std::size_t n = 0; n < text.size(); ++n)
        {
            auto changed = text;
            changed[n] = changed[n] == 'A' ? 'B' : 'A';
            CHECK_MESSAGE(!read_token(changed), changed);
            auto shorter = text;
            shorter.erase(n, 1);
            CHECK_MESSAGE(!read_token(shorter), shorter);
            auto longer = text;
            longer.insert(n, 1, 'A');
            CHECK_MESSAGE(!read_token(longer), longer);
        }
        CHECK(!read_token(text + "A"));
        CHECK(!read_token(""));
        CHECK(!read_token("gapless_"));
        CHECK(!read_token("gapless_99999999999_" + std::string(49, 'A')));
    }

    TEST_CASE("secrets have 43 characters and do not repeat")
    {
        std::set<std::string> seen;
        for (int n = 0; n < 1'000; ++n)
        {
            auto const secret = make_token_secret();
            CHECK(secret.size() == 43);
            CHECK(seen.insert(secret).second);
        }
    }

    TEST_CASE("a secret is made of 62 letters and digits")
    {
        std::set<char> seen;
        for (int n = 0; n < 1'000; ++n)
            for (auto const each : make_token_secret())
                seen.insert(each);
        CHECK(seen.size() == 62);
    }

    TEST_CASE("limits of its own replace the usual ones, and the usual burst is for the usual rate")
    {
        token_limits const usual{.rate = 10, .burst = 50, .daily_quota = 1'000};
        token_record token;
        auto limits = limits_of(token, usual);
        CHECK(limits.rate == 10);
        CHECK(limits.burst == 50);
        CHECK(limits.daily_quota == 1'000);
        token.rate = 3;
        token.daily_quota = 7;
        limits = limits_of(token, usual);
        CHECK(limits.rate == 3);
        CHECK(limits.burst == 0);
        CHECK(limits.daily_quota == 7);
        token.burst = 5;
        CHECK(limits_of(token, usual).burst == 5);
    }

    TEST_CASE("what is stored of a secret is its SHA-256")
    {
        // printf abc | sha256sum
        auto const hash = hash_token_secret("abc");
        CHECK(hash[0] == 0xba);
        CHECK(hash[1] == 0x78);
        CHECK(hash[31] == 0xad);
    }

    TEST_CASE("a principal sees its own series only, or all")
    {
        principal who;
        CHECK(who.sees("dhl-paket"));
        who.series = {{"dhl-paket"}};
        CHECK(who.sees("dhl-paket"));
        CHECK_FALSE(who.sees("dpd-classic"));
        who.series = std::vector<std::string>{};
        CHECK_FALSE(who.sees("dhl-paket"));
    }

    TEST_CASE("scopes do not include one another")
    {
        principal who;
        who.scopes = static_cast<unsigned>(scope::admin);
        CHECK(who.may(scope::admin));
        CHECK_FALSE(who.may(scope::issue));
        CHECK_FALSE(read_scope("everything"));
    }
}
