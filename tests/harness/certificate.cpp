#include "harness/certificate.hpp"

#include "base/contract.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

namespace gapless::test {

namespace {

struct free_openssl
{
    void operator()(X509* certificate) const noexcept { X509_free(certificate); }
    void operator()(EVP_PKEY* key) const noexcept { EVP_PKEY_free(key); }
    void operator()(X509_EXTENSION* extension) const noexcept { X509_EXTENSION_free(extension); }
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
template <class Type>
using owned = std::unique_ptr<Type, free_openssl>;

owned<EVP_PKEY> make_key()
{
    owned<EVP_PKEY> key{EVP_EC_gen("P-256")};
    ensure(key != nullptr, "OpenSSL makes keys");
    return key;
}

owned<X509> make_certificate(certificate_wish const& wish, EVP_PKEY* key)
{
    static std::atomic<int> made{};
    owned<X509> certificate{X509_new()};
    auto* const it = certificate.get();
    X509_set_version(it, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(it), ++made);
    X509_gmtime_adj(X509_getm_notBefore(it), wish.begins.count());
    X509_gmtime_adj(X509_getm_notAfter(it), wish.ends.count());
    auto* const name = X509_get_subject_name(it);
    auto const* text = reinterpret_cast<unsigned char const*>(wish.name.c_str());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, text, -1, -1, 0);
    X509_set_issuer_name(it, name);
    X509_set_pubkey(it, key);
    auto const names = "DNS:" + wish.name + (wish.on_loopback ? ",IP:127.0.0.1" : "");
    owned<X509_EXTENSION> const extension{
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str())};
    X509_add_ext(it, extension.get(), -1);
    ensure(X509_sign(it, key, EVP_sha256()) > 0, "OpenSSL signs certificates");
    return certificate;
}

owned<std::FILE> create(std::string const& path)
{
    owned<std::FILE> file{std::fopen(path.c_str(), "w")};
    ensure(file != nullptr, "the test may write into its folder");
    return file;
}

}  // namespace

certificate_files::certificate_files(certificate_wish const& wish)
    : folder_{(std::filesystem::temp_directory_path() / "gapless-test-tls-XXXXXX").string()}
{
    ensure(::mkdtemp(folder_.data()) != nullptr, "the test may make folders");
    renew(wish);
}

certificate_files::~certificate_files()
{
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

void certificate_files::renew(certificate_wish const& wish)
{
    auto const signing = make_key();
    auto const written = wish.fits_key ? nullptr : make_key();
    auto const made = make_certificate(wish, signing.get());
    PEM_write_X509(create(certificate()).get(), made.get());
    PEM_write_PrivateKey(
        create(key()).get(),
        written ? written.get() : signing.get(),
        nullptr,
        nullptr,
        0,
        nullptr,
        nullptr
    );
    ::chmod(key().c_str(), 0600);
}

}  // namespace gapless::test
