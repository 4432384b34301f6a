#include "http/auth_throttle.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace auth_throttle_test {

using namespace gapless;
using namespace std::chrono_literals;
using boost::asio::ip::make_address;

auto const client = make_address("192.0.2.1");
auto const other = make_address("192.0.2.2");
auth_throttle::clock::time_point const start{24h};

TEST_SUITE("http/auth_throttle_http")
{
    TEST_CASE("beyond its bad tokens of a minute an address waits until the next one is due")
    {
        auth_throttle throttle{3};
        for (int n = 0; n < 3; ++n)
            CHECK(throttle.note(client, start).wait == 0s);
        CHECK(throttle.note(client, start + 5s).wait == 15s);
        CHECK(throttle.note(other, start + 5s).wait == 0s);
        CHECK(throttle.note(client, start + 20s).wait == 0s);
        CHECK(throttle.note(client, start + 20s).wait == 20s);
        CHECK(auth_throttle::too_many(14'200ms).retry_after == 15s);
    }

    TEST_CASE("that an address has to wait is logged once a minute")
    {
        auth_throttle throttle{1};
        CHECK_FALSE(throttle.note(client, start).to_log);
        CHECK(throttle.note(client, start + 1s).to_log);
        CHECK_FALSE(throttle.note(client, start + 2s).to_log);
        CHECK_FALSE(throttle.note(client, start + 60s).to_log);
        CHECK(throttle.note(client, start + 61s).to_log);
    }

    TEST_CASE("without a limit nobody has to wait")
    {
        auth_throttle throttle{0};
        for (int n = 0; n < 100; ++n)
        {
            CHECK(throttle.begin_look_up(client, start).has_value());
            CHECK(throttle.note(client, start).wait == 0s);
        }
    }

    TEST_CASE("an IPv6 client is its network of 64 bits, a mapped one its IPv4 address")
    {
        auth_throttle throttle{1};
        throttle.note(make_address("2001:db8:1:2::1"), start);
        CHECK(throttle.note(make_address("2001:db8:1:2:ffff::9"), start).wait > 0s);
        CHECK(throttle.note(make_address("2001:db8:1:3::1"), start).wait == 0s);
        throttle.note(make_address("::ffff:192.0.2.1"), start);
        CHECK(throttle.note(client, start).wait > 0s);
        CHECK(throttle.note(other, start).wait == 0s);
    }

    TEST_CASE("of an address that has to wait few tokens are looked up at a time")
    {
        auth_throttle throttle{1};
        std::vector<result<concurrency_limit::place>> taken;
        auto const begins = [&](boost::asio::ip::address const& from, auto at) {
            taken.push_back(throttle.begin_look_up(from, start + at));
            return taken.back().has_value();
        };
        for (std::size_t n = 0; n < 3 * auth_throttle::look_ups_max; ++n)
            CHECK(begins(client, 0s));  // it does not have to wait yet
        throttle.note(client, start);
        for (std::size_t n = 0; n < auth_throttle::look_ups_max; ++n)
            CHECK(begins(client, 1s));
        auto const refused = throttle.begin_look_up(client, start + 1s);
        REQUIRE(refused.has_error());
        CHECK(refused.error().kind == refusal_kind::too_many_requests);
        CHECK(refused.error().retry_after == 59s);
        CHECK(begins(other, 1s));
        CHECK(begins(client, 60s));
        taken.clear();
        CHECK(begins(client, 1s));
    }
}

}  // namespace auth_throttle_test
