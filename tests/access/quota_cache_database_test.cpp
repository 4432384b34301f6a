#include "access/database_access.hpp"
#include "access/quota_bench.hpp"
#include "harness/blocked.hpp"
#include "postgres/query.hpp"

using namespace gapless;
using namespace std::chrono_literals;
using fixture = test::quota_bench;
using instance = test::quota_instance;
using test::is_used_up;

namespace quota_cache_test {

/// An outage in which the key "known" was answered.
struct outage : outage_tokens
{
    bool is_trusting() const override { return false; }
    bool is_cut() const override { return true; }
    bool knows_key(issue_request const& asked) const override
    {
        return asked.key == read_idempotency_key("known").value();
    }
    result<std::shared_ptr<principal const>> trust(token_text const&) override
    {
        return refusal{refusal_kind::unauthenticated, {}};
    }
    void note_used(std::int32_t) override {}
};

}  // namespace quota_cache_test

TEST_SUITE("access/quota_cache_database")
{
    TEST_CASE_FIXTURE(fixture, "a token takes its quota to the last number, and not one more")
    {
        instance one{url()};
        int taken = 0;
        while (one.take(100, 1).has_value())
            ++taken;
        CHECK(taken == 100);
        CHECK(reserved() == "100");
        auto const refused = one.take(100, 1);
        REQUIRE(is_used_up(refused));
        CHECK(refused.error().detail.find("100 numbers a day") != std::string::npos);
        CHECK(refused.error().detail.find("--daily-quota") != std::string::npos);
        CHECK(refused.error().retry_after >= 1s);
        CHECK(refused.error().retry_after <= 1h);
    }

    TEST_CASE_FIXTURE(fixture, "what does not fit is refused, what fits is still there")
    {
        instance one{url()};
        CHECK(one.take(10, 8).has_value());
        CHECK(is_used_up(one.take(10, 3)));
        CHECK(one.take(10, 2).has_value());
        CHECK(is_used_up(one.take(10, 1)));
        CHECK(one.take(10, 11).error().kind == refusal_kind::out_of_range);  // on no day
    }

    TEST_CASE_FIXTURE(fixture, "what is given back can be taken again")
    {
        instance one{url()};
        auto const share = one.take(5, 5);
        REQUIRE(share.has_value());
        CHECK(is_used_up(one.take(5, 5)));
        one.run([&] { one.cache.give_back(*share); });
        CHECK(one.take(5, 5).has_value());
        CHECK(is_used_up(one.take(5, 1)));
    }

    TEST_CASE_FIXTURE(fixture, "two instances that race never give more than the quota")
    {
        constexpr std::int64_t quota = 500;
        std::int64_t taken = 0;
        {
            instance one{url()};
            instance two{url()};
            for (int round = 0; round < 40; ++round)
            {
                std::vector<std::future<result<quota_share>>> asked;
                for (int n = 0; n < 10; ++n)
                {
                    asked.push_back(one.begin(quota, 1 + n % 4));
                    asked.push_back(two.begin(quota, 1 + n % 3));
                }
                for (auto& each : asked)
                    if (auto const share = each.get(); share.has_value())
                        taken += share->count;
                    else
                    {
                        INFO(share.error().detail);
                        CHECK(is_used_up(share));
                    }
            }
        }
        CHECK(taken <= quota);
        CHECK(taken >= quota - 20);  // small pieces that fit nowhere
        CHECK(run("select reserved <= 500 from gapless.token_quota") == "t");
    }

    TEST_CASE_FIXTURE(fixture, "an instance that dies loses its slice to the token, never more")
    {
        std::int64_t taken = 0;
        {
            instance dying{url()};
            for (int n = 0; n < 10; ++n)
                taken += dying.take(1'000, 1)->count;
        }
        instance next{url()};
        while (next.take(1'000, 1).has_value())
            ++taken;
        CHECK(taken <= 1'000);
        CHECK(taken >= 1'000 - 1'000 / 64);
    }

    TEST_CASE_FIXTURE(fixture, "an instance that ends puts back what nobody took")
    {
        {
            instance ending{url()};
            CHECK(ending.take(6'400, 1).has_value());
            CHECK(reserved() == "100");
            ending.run([&] { ending.cache.return_all(); });
        }
        CHECK(reserved() == "1");
    }

    TEST_CASE_FIXTURE(fixture, "a slice in use does not go back")
    {
        instance one{url()};
        CHECK(one.take(6'400, 1).has_value());
        CHECK(one.take(6'400, 1).has_value());
        one.run([&] { one.cache.return_idle(); });
        CHECK(one.take(6'400, 1).has_value());
        CHECK(reserved() == "100");  // 101 with a slice that went back and another one
    }

    TEST_CASE_FIXTURE(fixture, "a slice that lies idle goes back, and is not spent as well")
    {
        instance one{url()};
        CHECK(one.take(6'400, 1).has_value());
        one.ahead = 2min;
        one.run([&] { one.cache.return_idle(); });
        auto const deadline = std::chrono::steady_clock::now() + 10s;
        while (reserved() != "1")
            REQUIRE(std::chrono::steady_clock::now() < deadline);
        CHECK(one.take(6'400, 50).has_value());
        CHECK(run("select reserved >= 51 from gapless.token_quota") == "t");
    }

    TEST_CASE_FIXTURE(fixture, "a reservation in doubt is no issuance in doubt")
    {
        run("create function public.leave() returns trigger language plpgsql as $$ begin "
            "perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(60); return null; "
            "end $$; create constraint trigger leaves after insert or update on "
            "gapless.token_quota deferrable initially deferred for each row execute function "
            "public.leave()");
        instance one{url()};
        auto const refused = one.take(10, 1);
        REQUIRE(refused.has_error());
        CHECK(refused.error().kind == refusal_kind::database_unavailable);
    }

    TEST_CASE_FIXTURE(fixture, "a key that was spent passes when the quota is used up")
    {
        create_series("s", {{100, 199}});
        run("select * from gapless.issue('s', 2, 'order-1')");
        run("update gapless.token set owner_id = (select owner_id from gapless.ledger)");
        instance one{url()};
        CHECK(one.take(1, 1).has_value());
        principal who;
        who.token_id = 1;
        who.limits.daily_quota = 2;
        issue_request again;
        {
            pqxx::work transaction{connection()};
            again.owner_id =
                query_value<std::int32_t>(transaction, "select owner_id from gapless.ledger");
        }
        again.count = 2;
        again.key = read_idempotency_key("order-1").value();
        auto const asked = [&] {
            return boost::asio::co_spawn(
                       one.io,
                       one.cache.take(std::make_shared<principal const>(who), again),
                       boost::asio::use_future
            )
                .get();
        };
        auto const passed = asked();
        REQUIRE(passed.has_value());
        CHECK(passed->count == 0);
        again.key = read_idempotency_key("order-2").value();
        CHECK(is_used_up(asked()));
    }

    TEST_CASE("what is answered from memory takes nothing of a quota that is used up")
    {
        instance one{"postgresql://127.0.0.1:1/none"};
        database_access access{one.io, one.threads, 1s, {}};
        quota_cache_test::outage away;
        access.trust_in_outages(away);
        principal who;
        who.token_id = 1;
        who.limits.daily_quota = 1;
        auto const asked = [&](std::string_view key) {
            issue_request wanted;
            wanted.key = read_idempotency_key(key).value();
            return boost::asio::co_spawn(
                       one.io,
                       access.take_quota(std::make_shared<principal const>(who), wanted),
                       boost::asio::use_future
            )
                .get();
        };
        auto const again = asked("known");
        REQUIRE(again.has_value());
        CHECK(again->count == 0);
        CHECK(asked("new").error().kind == refusal_kind::database_unavailable);
    }

    TEST_CASE("without a database a request with a quota is told so, and nothing is taken")
    {
        instance one{"postgresql://127.0.0.1:1/none"};
        auto const refused = one.take(10, 1);
        REQUIRE(refused.has_error());
        CHECK(refused.error().kind == refusal_kind::database_unavailable);
    }

    TEST_CASE_FIXTURE(fixture, "an instance may end while the database keeps it waiting")
    {
        pqxx::connection holder{url()};
        pqxx::work lock{holder};
        execute(lock, "lock table gapless.token_quota");
        std::future<result<quota_share>> asked;
        {
            instance one{url()};
            asked = one.begin(100, 1);
            REQUIRE(test::blocks_somebody(lock));
        }
        // Nobody was told that numbers were set aside, and none were.
        CHECK_THROWS(asked.get());
        lock.abort();
        CHECK(run("select count(*) from gapless.token_quota") == "0");
    }
}
