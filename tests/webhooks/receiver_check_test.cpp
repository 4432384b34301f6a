#include "webhooks/receiver_check.hpp"
#include "webhooks/socket_address.hpp"

#include <doctest/doctest.h>

#include <arpa/inet.h>

using namespace gapless;

TEST_SUITE("webhooks/receiver_check")
{
    TEST_CASE("a name has its addresses")
    {
        auto const found = cli::find_addresses("localhost");
        REQUIRE_FALSE(found.empty());
        for (auto const& address : found)
            CHECK(special_purpose_of(address) == "a loopback address");
    }

    TEST_CASE("a name that nobody has is one without addresses")
    {
        CHECK(cli::find_addresses("no-such-host.invalid").empty());
        CHECK(cli::find_addresses("").empty());
    }

    TEST_CASE("an address is the one that the system would connect to")
    {
        sockaddr_in four{};
        four.sin_family = AF_INET;
        REQUIRE(inet_pton(AF_INET, "10.1.2.3", &four.sin_addr) == 1);
        CHECK(
            to_text(read_socket_address(reinterpret_cast<sockaddr const*>(&four)).value()) ==
            "10.1.2.3"
        );
        sockaddr_in6 six{};
        six.sin6_family = AF_INET6;
        REQUIRE(inet_pton(AF_INET6, "::ffff:10.1.2.3", &six.sin6_addr) == 1);
        CHECK(
            to_text(read_socket_address(reinterpret_cast<sockaddr const*>(&six)).value()) ==
            "10.1.2.3"
        );
        sockaddr other{};
        other.sa_family = AF_UNIX;
        CHECK_FALSE(read_socket_address(&other));
    }
}
