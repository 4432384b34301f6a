#include "app/cli/signature.hpp"

#include "app/cli/failure.hpp"
#include "app/cli/whole_file.hpp"
#include "base/contract.hpp"

#include <array>
#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

namespace gapless::cli {

/// What OpenSSL has made is freed by OpenSSL.
struct freed_by_openssl
{
    void operator()(BIO* bio) const noexcept { BIO_free(bio); }
    void operator()(EVP_PKEY* key) const noexcept { EVP_PKEY_free(key); }
    void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
};

using owned_key = std::unique_ptr<EVP_PKEY, freed_by_openssl>;

namespace {

constexpr std::size_t key_bytes_max = 65'536;
constexpr std::size_t signature_bytes = 64;
constexpr std::size_t signature_characters = 88;

using pem_reader = EVP_PKEY* (*)(BIO*, EVP_PKEY**, pem_password_cb*, void*);

/// No passphrase: a job that runs by the clock could not type it.
int give_no_passphrase(char*, int, int, void*)
{
    return -1;
}

owned_key read_key(std::string const& file, pem_reader read, char const* kind)
{
    auto const text = read_whole_file(file, key_bytes_max);
    std::unique_ptr<BIO, freed_by_openssl> const memory{
        BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))};
    ensure(memory != nullptr, "there is memory for a key");
    owned_key key{read(memory.get(), nullptr, give_no_passphrase, nullptr)};
    if (!key || EVP_PKEY_id(key.get()) != EVP_PKEY_ED25519)
        throw usage_error(fmt::format("{}: this is no {} Ed25519 key in PEM", file, kind));
    return key;
}

unsigned char const* bytes_of(std::string_view text) noexcept
{
    return reinterpret_cast<unsigned char const*>(text.data());
}

std::unique_ptr<EVP_MD_CTX, freed_by_openssl> new_context()
{
    std::unique_ptr<EVP_MD_CTX, freed_by_openssl> context{EVP_MD_CTX_new()};
    ensure(context != nullptr, "there is memory for a signature");
    return context;
}

}  // namespace

struct signing_key::inside
{
    owned_key key;
};

signing_key::signing_key(std::unique_ptr<inside> key) : key_{std::move(key)} {}

signing_key::~signing_key() = default;
signing_key::signing_key(signing_key&&) noexcept = default;

signing_key signing_key::read_private(std::string const& file)
{
    auto key = read_key(file, PEM_read_bio_PrivateKey, "private");
    return signing_key{std::make_unique<inside>(inside{std::move(key)})};
}

signing_key signing_key::read_public(std::string const& file)
{
    auto key = read_key(file, PEM_read_bio_PUBKEY, "public");
    return signing_key{std::make_unique<inside>(inside{std::move(key)})};
}

std::string signing_key::sign(std::string_view text) const
{
    auto const context = new_context();
    std::array<unsigned char, signature_bytes> made;
    std::size_t size = made.size();
    bool const signed_it =
        EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_->key.get()) == 1 &&
        EVP_DigestSign(context.get(), made.data(), &size, bytes_of(text), text.size()) == 1;
    ensure(signed_it && size == made.size(), "a private Ed25519 key signs any text");
    std::array<unsigned char, signature_characters + 1> encoded;
    EVP_EncodeBlock(encoded.data(), made.data(), static_cast<int>(made.size()));
    return {reinterpret_cast<char const*>(encoded.data()), signature_characters};
}

bool signing_key::matches(std::string_view text, std::string_view signature) const
{
    std::array<unsigned char, signature_bytes + 2> decoded;  // two bytes of padding, "=="
    if (signature.size() != signature_characters || !signature.ends_with("==") ||
        EVP_DecodeBlock(decoded.data(), bytes_of(signature), signature_characters) !=
            static_cast<int>(decoded.size()))
        return false;
    auto const context = new_context();
    return EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key_->key.get()) == 1 &&
           EVP_DigestVerify(
               context.get(), decoded.data(), signature_bytes, bytes_of(text), text.size()
           ) == 1;
}

}  // namespace gapless::cli
