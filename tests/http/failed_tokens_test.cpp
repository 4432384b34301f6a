#include "http/failed_tokens.hpp"

#include <doctest/doctest.h>

#include <string>

namespace failed_tokens_test {

using namespace gapless;
using namespace std::chrono_literals;
using boost::asio::ip::make_address;

auto const client = make_address("192.0.2.1");
auto const other = make_address("192.0.2.2");
failed_tokens::clock::time_point const start{};

bool is_blocked(
    failed_tokens const& failures,
    boost::asio::ip::address const& from,
    failed_tokens::clock::duration after
)
{
    return failures.blocked_for(from, start + after) > 0s;
}

TEST_SUITE("http/failed_tokens")
{
    TEST_CASE("an address is blocked with its last failure, and until its minute is over")
    {
        failed_tokens failures{3};
        CHECK_FALSE(failures.note(client, start));
        CHECK_FALSE(failures.note(client, start + 10s));
        CHECK_FALSE(is_blocked(failures, client, 10s));
        CHECK(failures.note(client, start + 20s));
        CHECK(failures.blocked_for(client, start + 20s) == 40s);
        CHECK_FALSE(failures.note(client, start + 30s));  // told once
        CHECK(is_blocked(failures, client, 59s));
        CHECK_FALSE(is_blocked(failures, client, 60s));
        CHECK_FALSE(is_blocked(failures, other, 30s));
    }

    TEST_CASE("a minute later an address begins anew")
    {
        failed_tokens failures{2};
        failures.note(client, start);
        CHECK_FALSE(failures.note(client, start + 61s));
        CHECK_FALSE(is_blocked(failures, client, 61s));
        CHECK(failures.note(client, start + 62s));
    }

    TEST_CASE("without a limit nobody is blocked and nothing is kept")
    {
        failed_tokens failures{0};
        for (int n = 0; n < 1'000; ++n)
            CHECK_FALSE(failures.note(client, start));
        CHECK_FALSE(is_blocked(failures, client, 0s));
        CHECK(failures.addresses() == 0);
    }

    TEST_CASE("an IPv6 client is its network of 64 bits, a mapped one its IPv4 address")
    {
        failed_tokens failures{1};
        failures.note(make_address("2001:db8:1:2::1"), start);
        CHECK(is_blocked(failures, make_address("2001:db8:1:2:ffff::9"), 1s));
        CHECK_FALSE(is_blocked(failures, make_address("2001:db8:1:3::1"), 1s));
        failures.note(make_address("::ffff:192.0.2.1"), start);
        CHECK(is_blocked(failures, client, 1s));
        CHECK_FALSE(is_blocked(failures, other, 1s));
    }

    TEST_CASE("no more addresses are kept than the cap, those in their minute last")
    {
        failed_tokens failures{1};
        auto const nth = [](std::size_t n) {
            return make_address(
                "10." + std::to_string(n / 65'536) + "." + std::to_string(n / 256 % 256) + "." +
                std::to_string(n % 256)
            );
        };
        for (std::size_t n = 0; n + 1 < failed_tokens::addresses_max; ++n)
            failures.note(nth(n), start);
        failures.note(client, start + 50s);
        CHECK(failures.addresses() == failed_tokens::addresses_max);
        failures.note(other, start + 70s);
        CHECK(failures.addresses() == 2);
        CHECK(is_blocked(failures, client, 70s));

        for (std::size_t n = 0; n < 3 * failed_tokens::addresses_max; ++n)
            failures.note(nth(n), start + 71s);
        CHECK(failures.addresses() <= failed_tokens::addresses_max);
    }

    TEST_CASE("few tokens of an address are looked up at a time")
    {
        failed_tokens failures{1};
        for (int n = 0; n < failed_tokens::look_ups_max; ++n)
            CHECK(failures.begin_look_up(client));
        CHECK_FALSE(failures.begin_look_up(client));
        CHECK(failures.begin_look_up(other));
        failures.end_look_up(client);
        CHECK(failures.begin_look_up(client));
    }
}

}  // namespace failed_tokens_test
