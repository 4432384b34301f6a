#include "base/ip_address.hpp"

#include <doctest/doctest.h>

namespace ip_address_test {

using namespace gapless;

/// An address as it was read and written again.
std::string again(std::string_view text)
{
    auto const address = read_ip_address(text);
    return address ? to_text(*address) : "none";
}

/// What kind of address it is; "public" where it is one.
std::string_view purpose(std::string_view text)
{
    auto const address = read_ip_address(text);
    if (!address)
        return "none";
    auto const what = special_purpose_of(*address);
    return what.empty() ? "public" : what;
}

std::string network(std::string_view text)
{
    auto const found = read_ip_network(text);
    return found ? to_text(std::vector{*found}) : "none";
}

bool has(std::string_view text, std::string_view address)
{
    return contains(read_ip_network(text).value(), read_ip_address(address).value());
}

TEST_SUITE("base/ip_address")
{
    TEST_CASE("addresses of either version are read and written")
    {
        CHECK(again("192.0.2.1") == "192.0.2.1");
        CHECK(again("255.255.255.255") == "255.255.255.255");
        CHECK(again("2001:DB8:0:0::1") == "2001:db8::1");
        CHECK(again("::") == "::");
        CHECK(again("::1") == "::1");
    }

    TEST_CASE("what only looks like an address is none")
    {
        for (std::string_view const text :
             {"",
              "127.1",
              "2130706433",
              "0x7f.0.0.1",
              "0177.0.0.1",
              "127.0.0.01",
              "127.0.0.1.",
              "127.0.0.256",
              "127.0.0.1 ",
              " ::1",
              "[::1]",
              "fe80::1%eth0",
              "::1::",
              "1:2:3:4:5:6:7:8:9",
              "localhost"})
        {
            CAPTURE(text);
            CHECK(again(text) == "none");
        }
        CHECK(again(std::string_view{"127.0.0.1\0", 10}) == "none");
        CHECK(again(std::string(100, '1')) == "none");
    }

    TEST_CASE("an IPv4 address in IPv6 clothes is the IPv4 address")
    {
        CHECK(again("::ffff:10.0.0.1") == "10.0.0.1");
        CHECK(again("::ffff:a00:1") == "10.0.0.1");
        CHECK(read_ip_address("::ffff:127.0.0.1") == read_ip_address("127.0.0.1"));
        CHECK(again("::ffff:0:10.0.0.1") != "10.0.0.1");
    }

    TEST_CASE("networks are read with their length, an address alone is one of its own")
    {
        CHECK(network("10.0.0.0/8") == "10.0.0.0/8");
        CHECK(network("0.0.0.0/0") == "0.0.0.0/0");
        CHECK(network("10.1.2.3") == "10.1.2.3/32");
        CHECK(network("fd00::/8") == "fd00::/8");
        CHECK(network("::1") == "::1/128");
        CHECK(network("::ffff:10.0.0.0/104") == "10.0.0.0/8");
        for (std::string_view const text :
             {"",
              "/8",
              "10.0.0.0/",
              "10.0.0.0/33",
              "10.0.0.0/-1",
              "10.0.0.0/+8",
              "10.0.0.0/8x",
              "10.0.0.0/8/8",
              "10.0.0.1/8",
              "10.0.0.0/255.0.0.0",
              "fd00::/129",
              "fd00::1/8",
              "::ffff:10.0.0.0/95",
              "10"})
        {
            CAPTURE(text);
            CHECK(network(text) == "none");
        }
    }

    TEST_CASE("a network holds its first and its last address, and not their neighbours")
    {
        CHECK(has("10.0.0.0/8", "10.0.0.0"));
        CHECK(has("10.0.0.0/8", "10.255.255.255"));
        CHECK_FALSE(has("10.0.0.0/8", "9.255.255.255"));
        CHECK_FALSE(has("10.0.0.0/8", "11.0.0.0"));
        CHECK(has("172.16.0.0/12", "172.31.255.255"));
        CHECK_FALSE(has("172.16.0.0/12", "172.32.0.0"));
        CHECK(has("192.0.2.128/25", "192.0.2.255"));
        CHECK_FALSE(has("192.0.2.128/25", "192.0.2.127"));
        CHECK(has("0.0.0.0/0", "255.1.2.3"));
        CHECK(has("10.1.2.3/32", "10.1.2.3"));
        CHECK_FALSE(has("10.1.2.3/32", "10.1.2.2"));
        CHECK(has("fc00::/7", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"));
        CHECK_FALSE(has("fc00::/7", "fe00::"));
        CHECK(has("::/0", "2001:db8::1"));
        CHECK_FALSE(has("::/0", "10.0.0.1"));
        CHECK_FALSE(has("0.0.0.0/0", "2001:db8::1"));
        CHECK(has("10.0.0.0/8", "::ffff:10.1.2.3"));
    }

    TEST_CASE("lists of networks are read and written with commas")
    {
        auto const several = read_ip_networks(" 10.0.0.0/8, fd00::/8 ");
        REQUIRE(several);
        CHECK(to_text(*several) == "10.0.0.0/8,fd00::/8");
        CHECK(read_ip_networks(to_text(*several)) == several);
        CHECK(contains(*several, *read_ip_address("fd00::1")));
        CHECK_FALSE(contains(*several, *read_ip_address("192.168.0.1")));
        CHECK(read_ip_networks("")->empty());
        CHECK(read_ip_networks("  ")->empty());
        CHECK(to_text(std::vector<ip_network>{}) == "");
        for (std::string_view const text : {",", "10.0.0.0/8,", ",10.0.0.0/8", "10.0.0.0/8;::1"})
            CHECK_FALSE(read_ip_networks(text));
    }

    TEST_CASE("addresses of hosts, homes and links are not public")
    {
        CHECK(purpose("127.0.0.1") == "a loopback address");
        CHECK(purpose("127.255.255.255") == "a loopback address");
        CHECK(purpose("0.0.0.0") == "an address of this host");
        CHECK(purpose("10.0.0.1") == "a private address");
        CHECK(purpose("172.16.0.1") == "a private address");
        CHECK(purpose("172.31.255.254") == "a private address");
        CHECK(purpose("192.168.178.1") == "a private address");
        CHECK(purpose("100.64.0.1") == "an address behind a provider's NAT");
        CHECK(purpose("100.127.255.255") == "an address behind a provider's NAT");
        CHECK(purpose("169.254.169.254") == "a link-local address");
        CHECK(purpose("255.255.255.255") == "a reserved address");
        CHECK(purpose("240.0.0.1") == "a reserved address");
        CHECK(purpose("224.0.0.1") == "a multicast address");
        CHECK(purpose("192.0.0.192") == "an address for protocols");
        CHECK(purpose("192.0.2.1") == "an address for documentation");
        CHECK(purpose("198.51.100.1") == "an address for documentation");
        CHECK(purpose("203.0.113.1") == "an address for documentation");
        CHECK(purpose("198.19.255.255") == "an address for measurements");
        CHECK(purpose("192.88.99.1") == "an address of a 6to4 relay");
    }

    TEST_CASE("their IPv6 cousins are not public, either")
    {
        CHECK(purpose("::1") == "a loopback address");
        CHECK(purpose("::") == "an address of this host");
        CHECK(purpose("fe80::1") == "a link-local address");
        CHECK(purpose("febf::1") == "a link-local address");
        CHECK(purpose("fec0::1") == "a private address");
        CHECK(purpose("fc00::1") == "a private address");
        CHECK(purpose("fd00:ec2::254") == "a private address");
        CHECK(purpose("ff02::1") == "a multicast address");
        CHECK(purpose("2001:db8::1") == "an address for documentation");
        CHECK(purpose("3fff::1") == "an address for documentation");
        CHECK(purpose("2002:7f00:1::") == "a 6to4 address");
        CHECK(purpose("2002:5db8:d822::1") == "a 6to4 address");
        CHECK(purpose("2001::1") == "an address for protocols");
        CHECK(purpose("2001:1ff::1") == "an address for protocols");
        CHECK(purpose("100::1") == "an address that nobody has");
        CHECK(purpose("4000::1") == "an address that nobody has");
        CHECK(purpose("5f00::1") == "an address that nobody has");
    }

    TEST_CASE("an IPv4 address inside an IPv6 one is the one that counts")
    {
        CHECK(purpose("::ffff:127.0.0.1") == "a loopback address");
        CHECK(purpose("::ffff:169.254.169.254") == "a link-local address");
        CHECK(purpose("::ffff:93.184.216.34") == "public");
        CHECK(purpose("64:ff9b::10.0.0.1") == "a private address");
        CHECK(purpose("64:ff9b::93.184.216.34") == "public");
        CHECK(purpose("64:ff9b:1::93.184.216.34") == "an address that nobody has");
        CHECK(purpose("::93.184.216.34") == "an address that nobody has");
    }

    TEST_CASE("everything else is public, right up to its neighbours")
    {
        for (std::string_view const text :
             {"1.1.1.1",
              "9.255.255.255",
              "11.0.0.0",
              "100.63.255.255",
              "100.128.0.0",
              "126.255.255.255",
              "128.0.0.0",
              "169.253.255.255",
              "169.255.0.0",
              "172.15.255.255",
              "172.32.0.0",
              "192.167.255.255",
              "192.169.0.0",
              "198.17.255.255",
              "198.20.0.0",
              "223.255.255.255",
              "2001:200::1",
              "2001:db7::1",
              "2001:db9::1",
              "2003::1",
              "2606:4700::1111",
              "3ffe::1",
              "2a00:1450:4001:80b::200e"})
        {
            CAPTURE(text);
            CHECK(purpose(text) == "public");
        }
    }
}

}  // namespace ip_address_test
