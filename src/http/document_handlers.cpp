#include "http/document_handlers.hpp"

#include "base/contract.hpp"
#include "http/embedded_documents.hpp"
#include "http/metrics.hpp"

#include <array>
#include <openssl/evp.h>
#include <openssl/sha.h>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// What stands in the one element of that name.
std::string_view content_of(std::string_view page, std::string const& element)
{
    auto const opening = "<" + element + ">";
    auto const begin = page.find(opening);
    auto const end = page.find("</" + element + ">");
    ensure(
        begin != std::string_view::npos && end != std::string_view::npos && begin < end &&
            page.find(opening, begin + 1) == std::string_view::npos,
        "the page has one element of each kind"
    );
    auto const first = begin + opening.size();
    return page.substr(first, end - first);
}

/// A source of CSP: 'sha256-…'
std::string to_source(std::string_view content)
{
    std::array<unsigned char, SHA256_DIGEST_LENGTH> hash{};
    SHA256(reinterpret_cast<unsigned char const*>(content.data()), content.size(), hash.data());
    std::array<unsigned char, 4 * (SHA256_DIGEST_LENGTH / 3 + 1) + 1> base64{};
    auto const length = EVP_EncodeBlock(base64.data(), hash.data(), static_cast<int>(hash.size()));
    std::string source{"'sha256-"};
    source.append(base64.begin(), base64.begin() + length);
    return source + '\'';
}

}  // namespace

std::string to_security_policy(std::string_view page)
{
    return "default-src 'none'; script-src " + to_source(content_of(page, "script")) +
           "; style-src " + to_source(content_of(page, "style")) +
           "; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
           "frame-ancestors 'none'";
}

asio::awaitable<result<void>> get_metrics(exchange& current)
{
    auto const& state = current.state;
    current.out.content_type = media_type::metrics;
    current.out.body = to_metrics(state.counters, state.service.status.figures(), state.started);
    co_return result<void>{};
}

asio::awaitable<result<void>> get_openapi(exchange& current)
{
    current.out.body = embedded_openapi();
    co_return result<void>{};
}

asio::awaitable<result<void>> get_dashboard(exchange& current)
{
    static auto const policy = to_security_policy(embedded_dashboard());
    current.out.content_type = media_type::html;
    current.out.content_security_policy = policy;
    current.out.body = embedded_dashboard();
    co_return result<void>{};
}

}  // namespace gapless
