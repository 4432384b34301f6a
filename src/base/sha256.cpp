#include "base/sha256.hpp"

#include <memory>
#include <openssl/evp.h>
#include <stdexcept>

namespace gapless {

namespace {

struct freed
{
    void operator()(EVP_MD* algorithm) const noexcept { ::EVP_MD_free(algorithm); }
    void operator()(EVP_MD_CTX* context) const noexcept { ::EVP_MD_CTX_free(context); }
};

struct thread_tools
{
    std::unique_ptr<EVP_MD, freed> algorithm{::EVP_MD_fetch(nullptr, "SHA256", nullptr)};
    std::unique_ptr<EVP_MD_CTX, freed> context{::EVP_MD_CTX_new()};
};

}  // namespace

sha256_digest sha256(std::string_view bytes)
{
    thread_local thread_tools const tools;
    sha256_digest digest;
    if (!tools.algorithm || !tools.context ||
        ::EVP_DigestInit_ex2(tools.context.get(), tools.algorithm.get(), nullptr) != 1 ||
        ::EVP_DigestUpdate(tools.context.get(), bytes.data(), bytes.size()) != 1 ||
        ::EVP_DigestFinal_ex(tools.context.get(), digest.data(), nullptr) != 1)
        throw std::runtime_error{"OpenSSL makes no SHA-256"};
    return digest;
}

}  // namespace gapless
