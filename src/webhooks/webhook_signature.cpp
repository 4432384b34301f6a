#include "webhooks/webhook_signature.hpp"

#include "base/contract.hpp"

#include <array>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdexcept>

namespace gapless {

namespace {

constexpr std::size_t digest_bytes = 32;                              // of SHA-256
constexpr std::size_t base64_bytes = (digest_bytes + 2) / 3 * 4 + 1;  // with the NUL

std::string sign_with(std::string const& key, std::string const& text)
{
    std::array<unsigned char, digest_bytes> digest{};
    unsigned int bytes = 0;
    auto const* const made = ::HMAC(
        ::EVP_sha256(),
        key.data(),
        static_cast<int>(key.size()),
        reinterpret_cast<unsigned char const*>(text.data()),
        text.size(),
        digest.data(),
        &bytes
    );
    if (made == nullptr || bytes != digest.size())
        throw std::runtime_error{"OpenSSL makes no HMAC-SHA256"};
    std::array<unsigned char, base64_bytes> base64{};
    auto const length =
        ::EVP_EncodeBlock(base64.data(), digest.data(), static_cast<int>(digest.size()));
    return {reinterpret_cast<char const*>(base64.data()), static_cast<std::size_t>(length)};
}

}  // namespace

std::string sign(signed_message const& message, std::span<std::string const> keys)
{
    std::string text{message.id};
    text += '.';
    text += std::to_string(message.sent_seconds);
    text += '.';
    text += message.body;
    std::string signatures;
    for (auto const& key : keys)
    {
        ensure(!key.empty(), "a webhook signs with a key");
        signatures += signatures.empty() ? "v1," : " v1,";
        signatures += sign_with(key, text);
    }
    return signatures;
}

}  // namespace gapless
