#include "http/failed_tokens.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace failed_tokens_test {

using namespace gapless;
using namespace std::chrono_literals;
using boost::asio::ip::make_address;

auto const client = make_address("192.0.2.1");
auto const other = make_address("192.0.2.2");
failed_tokens::clock::time_point const start{24h};

TEST_SUITE("http/failed_tokens")
{
    TEST_CASE("beyond its bad tokens of a minute an address waits until the next one is due")
    {
        failed_tokens failures{3};
        for (int n = 0; n < 3; ++n)
            CHECK(failures.note(client, start).wait == 0s);
        CHECK(failures.note(client, start + 5s).wait == 15s);
        CHECK(failures.note(other, start + 5s).wait == 0s);
        CHECK(failures.note(client, start + 20s).wait == 0s);
        CHECK(failures.note(client, start + 20s).wait == 20s);
        CHECK(failed_tokens::too_many(14'200ms).retry_after == 15s);
    }

    TEST_CASE("that an address has to wait is logged once a minute")
    {
        failed_tokens failures{1};
        CHECK_FALSE(failures.note(client, start).to_log);
        CHECK(failures.note(client, start + 1s).to_log);
        CHECK_FALSE(failures.note(client, start + 2s).to_log);
        CHECK_FALSE(failures.note(client, start + 60s).to_log);
        CHECK(failures.note(client, start + 61s).to_log);
    }

    TEST_CASE("without a limit nobody has to wait")
    {
        failed_tokens failures{0};
        for (int n = 0; n < 100; ++n)
        {
            CHECK(failures.begin_look_up(client, start).has_value());
            CHECK(failures.note(client, start).wait == 0s);
        }
    }

    TEST_CASE("an IPv6 client is its network of 64 bits, a mapped one its IPv4 address")
    {
        failed_tokens failures{1};
        failures.note(make_address("2001:db8:1:2::1"), start);
        CHECK(failures.note(make_address("2001:db8:1:2:ffff::9"), start).wait > 0s);
        CHECK(failures.note(make_address("2001:db8:1:3::1"), start).wait == 0s);
        failures.note(make_address("::ffff:192.0.2.1"), start);
        CHECK(failures.note(client, start).wait > 0s);
        CHECK(failures.note(other, start).wait == 0s);
    }

    TEST_CASE("of an address that has to wait few tokens are looked up at a time")
    {
        failed_tokens failures{1};
        std::vector<result<request_shares::place>> taken;
        auto const begins = [&](boost::asio::ip::address const& from, auto at) {
            taken.push_back(failures.begin_look_up(from, start + at));
            return taken.back().has_value();
        };
        for (std::size_t n = 0; n < 3 * failed_tokens::look_ups_max; ++n)
            CHECK(begins(client, 0s));  // it does not have to wait yet
        failures.note(client, start);
        for (std::size_t n = 0; n < failed_tokens::look_ups_max; ++n)
            CHECK(begins(client, 1s));
        auto const refused = failures.begin_look_up(client, start + 1s);
        REQUIRE(refused.has_error());
        CHECK(refused.error().kind == refusal_kind::too_many_requests);
        CHECK(refused.error().retry_after == 59s);
        CHECK(begins(other, 1s));
        CHECK(begins(client, 60s));
        taken.clear();
        CHECK(begins(client, 1s));
    }
}

}  // namespace failed_tokens_test
