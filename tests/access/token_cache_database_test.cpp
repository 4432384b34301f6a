#include "access/database_access.hpp"
#include "access/quota_bench.hpp"
#include "access/token_cache.hpp"
#include "access/token_store.hpp"
#include "harness/new_token.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>
#include <pqxx/pqxx>

namespace token_cache_test {

using namespace gapless;
using namespace std::chrono_literals;

constexpr auto life = 4s;

/// A cache that was told of token 1 at the moment 0.
struct told_cache
{
    token_cache cache{life, {.rate = 7, .burst = 9, .daily_quota = 11}};
    token_cache::clock::time_point const start{};
    std::string const secret{make_token_secret()};

    told_cache() { keep(record(), 0s); }

    static token_record record()
    {
        token_record known;
        known.token_id = 1;
        known.owner_id = 5;
        known.name = "token:shop";
        known.scopes = {"issue", "read"};
        known.in_force = true;
        return known;
    }

    std::shared_ptr<principal const> keep(token_record const& known, std::chrono::milliseconds at)
    {
        return cache.keep(known, hash_token_secret(secret), start + at);
    }

    token_cache::known find(std::chrono::milliseconds at, std::string_view presented)
    {
        return cache.find({1, presented}, start + at);
    }

    token_cache::known find(std::chrono::milliseconds at) { return find(at, secret); }
};

TEST_SUITE("access/token_cache_database")
{
    TEST_CASE_FIXTURE(told_cache, "a token is known as the database told it")
    {
        auto const who = find(0s).who;
        REQUIRE(who);
        CHECK(who->token_id == 1);
        CHECK(who->owner_id == 5);
        CHECK(who->name == "token:shop");
        CHECK(who->may(scope::issue));
        CHECK(who->may(scope::read));
        CHECK_FALSE(who->may(scope::load));
        CHECK_FALSE(who->may(scope::admin));
        CHECK(who->sees("any"));
        CHECK(who->limits.rate == 7);
        CHECK(who->limits.daily_quota == 11);
    }

    TEST_CASE_FIXTURE(told_cache, "what the database said is believed for its life and no longer")
    {
        CHECK(find(life).who);
        CHECK_FALSE(find(life + 1ms).who);
        CHECK_FALSE(find(0s).who);  // it was forgotten, not passed over
    }

    TEST_CASE_FIXTURE(told_cache, "no token is believed beyond its own end")
    {
        auto known = record();
        known.expires_in = life / 2;
        CHECK(keep(known, 0s));
        CHECK(find(life / 2).who);
        CHECK_FALSE(find(life / 2 + 1ms).who);
        known.expires_in = std::chrono::microseconds::max();
        keep(known, 0s);
        CHECK(find(life).who);
        CHECK_FALSE(find(life + 1ms).who);
    }

    TEST_CASE_FIXTURE(
        test::database, "a token that the database calls in force is, however soon it ends"
    )
    {
        pqxx::work transaction{connection()};
        auto const made = test::make_token(transaction, {.name = "shop", .scopes = {"issue"}});
        auto const parts = read_token(made.text).value();
        auto const identified = [&] {
            return *identify_token(transaction, parts.token_id, hash_token_secret(parts.secret));
        };
        CHECK_FALSE(identified().expires_in);
        execute(transaction, "update gapless.token set expires_at = now() + interval '1 hour'");
        CHECK(identified().expires_in == 1h);
        transaction.commit();

        test::quota_instance service{url()};
        database_access access{service.io, service.threads, 0ms, {}};  // no entry can be found
        auto const who =
            boost::asio::co_spawn(service.io, access.identify(made.text), boost::asio::use_future)
                .get();
        REQUIRE(who.has_value());
        CHECK((*who)->name == "shop");
    }

    TEST_CASE_FIXTURE(told_cache, "a renewal that never ends makes nothing live longer")
    {
        CHECK(find(life / 2 + 1ms).due);
        CHECK(find(life).who);
        CHECK_FALSE(find(life + 1ms).who);
    }

    TEST_CASE_FIXTURE(told_cache, "from half of its life on it is due once")
    {
        CHECK_FALSE(find(life / 2).due);
        CHECK(find(life / 2 + 1ms).due);
        CHECK_FALSE(find(life / 2 + 2ms).due);
        keep(record(), life);
        CHECK_FALSE(find(life + life / 2).due);
        CHECK(find(life + life / 2 + 1ms).due);
        CHECK(find(life + life).who);
    }

    TEST_CASE_FIXTURE(told_cache, "another secret opens nothing however little it differs")
    {
        CHECK_FALSE(find(0s, make_token_secret()).who);
        for (auto const at : {std::size_t{0}, secret.size() / 2, secret.size() - 1})
        {
            auto guess = secret;
            guess[at] = guess[at] == 'a' ? 'b' : 'a';
            CHECK_FALSE(find(0s, guess).who);
        }
        CHECK_FALSE(find(0s, "").who);
        CHECK_FALSE(find(life / 2 + 1ms, "guess").due);  // and renews nothing
        CHECK(find(0s).who);                             // nor does it take anything away
    }

    TEST_CASE_FIXTURE(told_cache, "a token that is not in force any more is forgotten")
    {
        auto gone = record();
        gone.in_force = false;
        keep(gone, 1s);
        CHECK_FALSE(find(1s).who);
        keep(record(), 2s);
        CHECK(find(2s).who);
        cache.forget(1);
        CHECK_FALSE(find(2s).who);
    }

    TEST_CASE_FIXTURE(told_cache, "it holds a limited number of tokens")
    {
        auto other = record();
        for (std::size_t n = 1; n < token_cache::tokens_max; ++n)
        {
            ++other.token_id;
            keep(other, 0s);
        }
        CHECK(find(0s).who);
        ++other.token_id;
        keep(other, 0s);
        CHECK_FALSE(find(0s).who);
    }
}

}  // namespace token_cache_test
