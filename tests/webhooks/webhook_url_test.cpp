#include "webhooks/webhook_url.hpp"

#include <doctest/doctest.h>

namespace webhook_url_test {

using namespace gapless;

/// "https receiver.example 443 https://receiver.example/x", or what is wrong.
std::string read(std::string_view text)
{
    auto const url = read_webhook_url(text);
    if (url.has_error())
        return "refused";
    return std::string{url->secure ? "https " : "http "} + url->host + ' ' +
           std::to_string(url->port) + ' ' + url->text;
}

std::string why_not(std::string_view text)
{
    auto const url = read_webhook_url(text);
    return url.has_error() ? url.error().detail : "";
}

/// Why nothing is delivered there; empty: it is.
std::string obstacle(
    std::string_view url, std::vector<std::string> const& addresses, std::string_view networks
)
{
    std::vector<ip_address> found;
    for (auto const& address : addresses)
        found.push_back(read_ip_address(address).value());
    return delivery_obstacle(
        read_webhook_url(url).value(), found, read_ip_networks(networks).value()
    );
}

TEST_SUITE("webhooks/webhook_url")
{
    TEST_CASE("a URL is read into scheme, host and port")
    {
        CHECK(read("https://a.example") == "https a.example 443 https://a.example");
        CHECK(read("http://a.example/") == "http a.example 80 http://a.example/");
        CHECK(read("HTTPS://A.Example:8443/In/x?Y=%2f#") == "refused");
        CHECK(
            read("HTTPS://A.Example:8443/In/x?Y=%2f") ==
            "https a.example 8443 https://a.example:8443/In/x?Y=%2f"
        );
        CHECK(read("https://a.example?x=1") == "https a.example 443 https://a.example?x=1");
        CHECK(read("https://a.example./x") == "https a.example. 443 https://a.example./x");
        CHECK(
            read("https://hooks_1.a-b.example") ==
            "https hooks_1.a-b.example 443 https://hooks_1.a-b.example"
        );
        CHECK(read("http://10.0.0.1:65535/") == "http 10.0.0.1 65535 http://10.0.0.1:65535/");
        CHECK(read("http://[FD00::1]:8080/") == "http fd00::1 8080 http://[fd00::1]:8080/");
        CHECK(
            read("https://xn--bcher-kva.example/") ==
            "https xn--bcher-kva.example 443 https://xn--bcher-kva.example/"
        );
    }

    TEST_CASE("an address as the host is known as one")
    {
        CHECK(read_webhook_url("http://10.0.0.1/")->address == read_ip_address("10.0.0.1"));
        CHECK(
            read_webhook_url("http://[::ffff:10.0.0.1]/")->address == read_ip_address("10.0.0.1")
        );
        CHECK_FALSE(read_webhook_url("http://a.example/")->address);
    }

    TEST_CASE("what another program could take for another host is refused")
    {
        for (std::string_view const text :
             {"",
              "https",
              "https://",
              "https:///x",
              "https://:443/",
              "//a.example/",
              "ftp://a.example/",
              "file:///etc/passwd",
              "javascript://a.example/",
              "https:a.example",
              "https:/a.example",
              " https://a.example/",
              "https://a.example/ ",
              "https://a.example/\n",
              "https://a.example\\@b.example/",
              "https://a.example\\.b.example/",
              "https://user@a.example/",
              "https://user:secret@a.example/",
              "https://a.example:80@b.example/",
              "https://a.example#@b.example/",
              "https://a.example/#top",
              "https://a..example/",
              "https://.example/",
              "https://a,b.example/",
              "https://b\xc3\xbc"
              "cher.example/",
              "https://a.example/\xc3\xbc",
              "https://a.example/%",
              "https://a.example/%2",
              "https://a.example/%zz",
              "https://a.example/{x}",
              "https://a.example/a b",
              "https://%61.example/"})
        {
            CAPTURE(text);
            CHECK(read(text) == "refused");
        }
    }

    TEST_CASE("numbers that could be an address in disguise are refused")
    {
        for (std::string_view const host :
             {"2130706433",
              "0x7f000001",
              "0x7f.0.0.1",
              "0177.0.0.1",
              "127.1",
              "127.0.0.01",
              "127.0.0.1.",
              "127.0.0.256",
              "a.1",
              "a.0x1",
              "[127.0.0.1]",
              "[::1",
              "::1",
              "[::1%25eth0]",
              "[v1.x]",
              "[]"})
        {
            CAPTURE(host);
            CHECK(read("http://" + std::string{host} + "/") == "refused");
        }
    }

    TEST_CASE("ports are 1 to 65535")
    {
        CHECK(read("https://a.example:1") == "https a.example 1 https://a.example:1");
        for (std::string_view const port :
             {"", "0", "65536", "-1", "+1", "80x", "8 0", "99999999999"})
        {
            CAPTURE(port);
            CHECK(read("https://a.example:" + std::string{port} + "/") == "refused");
        }
    }

    TEST_CASE("lengths are bounded")
    {
        std::string const start{"https://a.example/"};
        auto const longest = start + std::string(webhook_url_bytes_max - start.size(), 'x');
        CHECK(read(longest) != "refused");
        CHECK(read(longest + 'x') == "refused");
        CHECK(read("https://" + std::string(63, 'a') + ".example/") != "refused");
        CHECK(read("https://" + std::string(64, 'a') + ".example/") == "refused");
        std::string labels;
        for (int n = 0; n < 127; ++n)
            labels += "a.";
        CHECK(read("https://" + labels + "/") != "refused");
        CHECK(read("https://" + labels + "a/") == "refused");
    }

    TEST_CASE("a refusal says what is wrong with the URL")
    {
        CHECK(why_not("ftp://a.example/").ends_with("does not begin with https:// or http://"));
        CHECK(why_not("https://u@a.example/").find("a user or a password") != std::string::npos);
        CHECK(why_not("https://a.example:0/").ends_with("has a port that is not 1 to 65535"));
        CHECK(read_webhook_url("x").error().kind == refusal_kind::out_of_range);
    }

    TEST_CASE("https leads to public addresses without further ado")
    {
        CHECK(obstacle("https://93.184.216.34/", {}, "") == "");
        CHECK(obstacle("https://a.example/", {"93.184.216.34", "2606:4700::1111"}, "") == "");
        CHECK(obstacle("https://a.example/", {}, "") == "");
        CHECK(
            obstacle("https://a.example/", {"10.0.0.1"}, "") ==
            "https leads to a private address, which is not within webhook_networks"
        );
        CHECK(
            obstacle("https://[::1]/", {}, "10.0.0.0/8") ==
            "https leads to a loopback address, which is not within webhook_networks"
        );
        CHECK(
            obstacle("https://169.254.169.254/latest/", {}, "") ==
            "https leads to a link-local address, which is not within webhook_networks"
        );
    }

    TEST_CASE("a name of several addresses needs all of them allowed")
    {
        CHECK(obstacle("https://a.example/", {"93.184.216.34", "10.0.0.1"}, "") != "");
        CHECK(obstacle("https://a.example/", {"93.184.216.34", "10.0.0.1"}, "10.0.0.0/8") == "");
    }

    TEST_CASE("http leads nowhere but within the networks that an operator named")
    {
        CHECK(obstacle("http://10.0.0.1/", {}, "10.0.0.0/8") == "");
        CHECK(obstacle("http://a.example/", {"10.0.0.1"}, "10.0.0.0/8") == "");
        CHECK(obstacle("http://a.example/", {"10.0.0.1"}, "192.168.0.0/16") != "");
        CHECK(
            obstacle("http://a.example/", {"93.184.216.34"}, "10.0.0.0/8") ==
            "http leads to a public address, which is not within webhook_networks"
        );
        CHECK(
            obstacle("http://a.example/", {}, "") ==
            "http is for receivers within webhook_networks, of which there are none; use https"
        );
        CHECK(obstacle("http://93.184.216.34/", {}, "93.184.216.0/24") == "");
    }

    TEST_CASE("http to a name without an address leads nowhere, wherever it leads tomorrow")
    {
        CHECK(
            obstacle("http://a.example/", {}, "10.0.0.0/8") ==
            "http is for receivers within webhook_networks, and this name has no address there; "
            "use https"
        );
        CHECK(obstacle("https://a.example/", {}, "10.0.0.0/8") == "");
        CHECK(obstacle("http://10.0.0.1/", {}, "10.0.0.0/8") == "");
    }
}

}  // namespace webhook_url_test
