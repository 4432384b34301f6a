#pragma once

#include <memory>
#include <string>
#include <string_view>

/// Ed25519 signatures with keys as openssl writes them:
///   openssl genpkey -algorithm ed25519 -out key.pem
///   openssl pkey -in key.pem -pubout -out public.pem
namespace gapless::cli {

/// A private or a public key.
class signing_key
{
public:
    /// Reads a PEM file. Throws command_failed (usage) when it holds no Ed25519 key of that kind.
    static signing_key read_private(std::string const& file);
    static signing_key read_public(std::string const& file);

    ~signing_key();
    signing_key(signing_key&&) noexcept;
    signing_key(signing_key const&) = delete;
    signing_key& operator=(signing_key const&) = delete;

    /// The signature in base64: 88 characters. The key is a private one.
    std::string sign(std::string_view text) const;

    /// True when the private key that belongs to this one signed that text.
    bool matches(std::string_view text, std::string_view signature) const;

private:
    struct inside;
    explicit signing_key(std::unique_ptr<inside> key);

    std::unique_ptr<inside> key_;
};

}  // namespace gapless::cli
