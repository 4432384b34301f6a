#include "webhooks/address_check.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <doctest/doctest.h>

namespace address_check_test {

using namespace gapless;

struct gate_bench
{
    explicit gate_bench(std::string_view networks) : gate{io, read_ip_networks(networks).value()} {}

    /// How the gate decides: "" or why not.
    std::string decide(std::string_view url)
    {
        std::string outcome{"not told"};
        ask(url, outcome);
        io.run();
        io.restart();
        return outcome;
    }

    void ask(std::string_view url, std::string& outcome)
    {
        auto wait = [](address_check& asked, std::string wanted, std::string& place
                    ) -> boost::asio::awaitable<void> {
            auto const checked = co_await asked.check(std::move(wanted));
            place = checked.has_error()
                        ? std::string{name_of(checked.error().kind)} + ": " + checked.error().detail
                        : "";
        };
        boost::asio::co_spawn(io, wait(gate, std::string{url}, outcome), boost::asio::detached);
    }

    boost::asio::io_context io;
    address_check gate;
};

constexpr auto to_loopback = "out-of-range: The field \"url\": https leads to a loopback address, "
                             "which is not within webhook_networks.";

TEST_SUITE("webhooks/address_check_database")
{
    TEST_CASE("addresses and the addresses of names are looked at")
    {
        gate_bench bench{""};
        CHECK(bench.decide("https://127.0.0.1/") == to_loopback);
        CHECK(bench.decide("https://localhost/") == to_loopback);
        CHECK(bench.decide("https://93.184.216.34/") == "");
        CHECK(bench.decide("http://localhost/") != "");
    }

    TEST_CASE("what an operator allowed is let through")
    {
        gate_bench bench{"127.0.0.0/8,::1"};
        CHECK(bench.decide("https://localhost/") == "");
        CHECK(bench.decide("http://localhost:8080/") == "");
        CHECK(bench.decide("http://127.1.2.3/") == "");
        CHECK(bench.decide("http://10.1.2.3/") != "");
    }

    TEST_CASE("a name that has no address yet is not let through for http")
    {
        gate_bench bench{"10.0.0.0/8"};
        CHECK(
            bench.decide("http://no-such-host.invalid/") ==
            "out-of-range: The field \"url\": http is for receivers within webhook_networks, and "
            "this name has no address there; use https."
        );
        CHECK(bench.decide("https://no-such-host.invalid/") == "");
    }

    TEST_CASE("too many names at once are refused, addresses are not")
    {
        gate_bench bench{""};
        std::vector<std::string> outcomes(18, "not told");
        for (std::size_t n = 0; n < 17; ++n)
            bench.ask("https://localhost/", outcomes[n]);
        bench.ask("https://127.0.0.1/", outcomes[17]);
        bench.io.run();
        for (std::size_t n = 0; n < 16; ++n)
            CHECK(outcomes[n] == to_loopback);
        CHECK(outcomes[16].starts_with("overloaded"));
        CHECK(outcomes[17] == to_loopback);
        bench.io.restart();
        CHECK(bench.decide("https://localhost/") == to_loopback);
    }
}

}  // namespace address_check_test
