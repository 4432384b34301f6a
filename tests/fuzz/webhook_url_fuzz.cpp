#include "fuzz/fuzz.hpp"
#include "webhooks/webhook_url.hpp"

#include <array>
#include <curl/curl.h>
#include <memory>

using namespace gapless;
using namespace gapless::test;

namespace {

struct url_end
{
    void operator()(CURLU* url) const noexcept { ::curl_url_cleanup(url); }
};

/// A part of a URL as libcurl reads it; empty: it has none.
std::string part_of(CURLU* url, CURLUPart part)
{
    char* text = nullptr;
    if (::curl_url_get(url, part, &text, CURLU_DEFAULT_PORT) != CURLUE_OK)
        return {};
    std::unique_ptr<char, decltype(&::curl_free)> const kept{text, ::curl_free};
    return text;
}

/// libcurl, which connects, takes it for the same.
void check_as_curl_does(webhook_url const& url)
{
    std::unique_ptr<CURLU, url_end> const read{::curl_url()};
    expect(
        ::curl_url_set(read.get(), CURLUPART_URL, url.text.c_str(), CURLU_PATH_AS_IS) == CURLUE_OK,
        "libcurl reads it, too"
    );
    auto host = part_of(read.get(), CURLUPART_HOST);
    if (host.starts_with('['))
        host = host.substr(1, host.size() - 2);
    // libcurl may write an IPv6 address anew.
    if (url.address)
        expect(read_ip_address(host) == url.address, "with the same address");
    else
        expect(host == url.host, "with the same host");
    expect(part_of(read.get(), CURLUPART_PORT) == std::to_string(url.port), "and port");
    expect(part_of(read.get(), CURLUPART_SCHEME) == (url.secure ? "https" : "http"), "and scheme");
    expect(part_of(read.get(), CURLUPART_USER).empty(), "without a user");
    expect(part_of(read.get(), CURLUPART_FRAGMENT).empty(), "without a fragment");
}

void check_url(std::string_view text)
{
    auto const url = read_webhook_url(text);
    if (url.has_error())
        return expect(!url.error().detail.empty(), "a refusal says why");
    expect(url->port != 0 && !url->host.empty(), "it has a host and a port");
    auto const again = read_webhook_url(url->text);
    expect(again.has_value() && again->text == url->text, "what was read reads again");
    expect(again->host == url->host && again->port == url->port, "with the same values");
    check_as_curl_does(*url);
}

void check_network(std::string_view text)
{
    auto const networks = read_ip_networks(text);
    if (!networks)
        return;
    expect(read_ip_networks(to_text(*networks)) == networks, "networks are read as they are shown");
    for (auto const& network : *networks)
        expect(contains(network, network.address()), "a network has its first address");
}

void check_address(std::string_view text)
{
    auto const address = read_ip_address(text);
    if (!address)
        return;
    expect(read_ip_address(to_text(*address)) == address, "an address is read as it is shown");
    auto const is_public = special_purpose_of(*address).empty();
    expect(may_deliver(true, *address, {}) == is_public, "https leads to public addresses");
    expect(!may_deliver(false, *address, {}), "http leads nowhere");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    constexpr std::array checks{check_url, check_network, check_address};
    fuzz_input input{data, size};
    auto const choice = input.byte() % checks.size();
    checks[choice](input.rest());
    return 0;
}
