#include "http/tls.hpp"

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/stat.h>
#include <system_error>

namespace gapless {

namespace {

// TLS 1.3 has only such ciphers; OpenSSL's defaults apply to it.
constexpr auto* tls_1_2_ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20";
constexpr auto* groups = "X25519:P-256:P-384";
// Length and name, in ALPN's format.
constexpr std::string_view http_1_1{"\x08http/1.1"};

struct close_file
{
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using open_file = std::unique_ptr<std::FILE, close_file>;

struct free_openssl
{
    void operator()(X509* certificate) const noexcept { X509_free(certificate); }
    void operator()(EVP_PKEY* key) const noexcept { EVP_PKEY_free(key); }
};

[[noreturn]] void refuse(std::string const& file, std::string const& cause)
{
    throw bad_certificate{file + ": " + cause};
}

/// OpenSSL's latest error, in its own words.
std::string openssl_reason()
{
    auto const code = ERR_peek_last_error();
    auto const* reason = ERR_reason_error_string(code);
    return reason != nullptr ? reason : "OpenSSL error " + std::to_string(code);
}

open_file open(std::string const& file)
{
    open_file opened{std::fopen(file.c_str(), "re")};
    if (!opened)
        refuse(file, "cannot be read: " + std::generic_category().message(errno));
    return opened;
}

std::chrono::sys_seconds to_moment(ASN1_TIME const* time)
{
    std::tm parts{};
    ASN1_TIME_to_tm(time, &parts);
    return std::chrono::sys_seconds{std::chrono::seconds{::timegm(&parts)}};
}

std::string to_day(std::chrono::sys_seconds moment)
{
    auto const seconds = std::chrono::system_clock::to_time_t(moment);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    char text[32]{};
    return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts)};
}

/// No passphrase: without this OpenSSL would ask the terminal for one.
int no_passphrase(char*, int, int, void*)
{
    return 0;
}

/// Selects http/1.1 from the client's list; a client that offers only others is refused.
int choose_protocol(
    SSL* /*connection*/,
    unsigned char const** chosen,
    unsigned char* chosen_size,
    unsigned char const* offered,
    unsigned offered_size,
    void* /*more*/
)
{
    unsigned char* found{};
    auto const result = SSL_select_next_proto(
        &found,
        chosen_size,
        reinterpret_cast<unsigned char const*>(http_1_1.data()),
        static_cast<unsigned>(http_1_1.size()),
        offered,
        offered_size
    );
    *chosen = found;
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/// True if a group may read the key although root did not grant it (as to Debian's group ssl-cert).
bool check_readers(std::string const& file, std::FILE* opened)
{
    struct stat found
    {
    };
    if (::fstat(::fileno(opened), &found) != 0)
        refuse(file, "cannot be read: " + std::generic_category().message(errno));
    if ((found.st_mode & S_IRWXO) != 0)
        refuse(file, "others may read or write this key: chmod o-rwx it");
    return (found.st_mode & S_IRWXG) != 0 && found.st_uid != 0;
}

}  // namespace

void tls_context::free_native::operator()(ssl_ctx_st* native) const noexcept
{
    SSL_CTX_free(native);
}

tls_context::tls_context(std::string const& certificate_file, std::string const& key_file)
    : native_{SSL_CTX_new(TLS_server_method())}
{
    auto* const native = native_.get();
    ERR_clear_error();
    auto const ruled =
        native != nullptr && SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION) == 1 &&
        SSL_CTX_set_max_proto_version(native, TLS1_3_VERSION) == 1 &&
        SSL_CTX_set_cipher_list(native, tls_1_2_ciphers) == 1 &&
        SSL_CTX_set1_groups_list(native, groups) == 1 && SSL_CTX_set_num_tickets(native, 0) == 1;
    if (!ruled)
        throw std::runtime_error{"OpenSSL takes none of our rules: " + openssl_reason()};
    SSL_CTX_set_options(
        native,
        SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
            SSL_OP_NO_TICKET
    );
    SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
    // An idle connection keeps no buffers for records.
    SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_alpn_select_cb(native, choose_protocol, nullptr);
    take_certificate(certificate_file);
    take_key(key_file, certificate_file);
}

void tls_context::take_certificate(std::string const& file)
{
    auto const opened = open(file);
    using certificate = std::unique_ptr<X509, free_openssl>;
    certificate const first{PEM_read_X509_AUX(opened.get(), nullptr, no_passphrase, nullptr)};
    if (!first)
        refuse(file, "holds no certificate in PEM: " + openssl_reason());
    if (SSL_CTX_use_certificate(native_.get(), first.get()) != 1)
        refuse(file, "the certificate cannot be used: " + openssl_reason());
    while (certificate next{PEM_read_X509(opened.get(), nullptr, no_passphrase, nullptr)})
        if (SSL_CTX_add0_chain_cert(native_.get(), next.get()) == 1)
            static_cast<void>(next.release());
        else
            refuse(file, "an issuer's certificate cannot be used: " + openssl_reason());
    if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE)
        refuse(file, "an issuer's certificate cannot be read: " + openssl_reason());
    ERR_clear_error();

    auto const now = std::chrono::system_clock::now();
    auto const begins = to_moment(X509_get0_notBefore(first.get()));
    expires_ = to_moment(X509_get0_notAfter(first.get()));
    if (expires_ < now)
        refuse(file, "the certificate expired at " + to_day(expires_) + ": renew it");
    if (begins > now)
        refuse(
            file, "the certificate is not valid before " + to_day(begins) + ": is the clock right?"
        );
}

void tls_context::take_key(std::string const& file, std::string const& certificate_file)
{
    auto const opened = open(file);
    group_reads_key_ = check_readers(file, opened.get());
    std::unique_ptr<EVP_PKEY, free_openssl> const key{
        PEM_read_PrivateKey(opened.get(), nullptr, no_passphrase, nullptr)};
    if (!key)
        refuse(
            file,
            "holds no private key in PEM, or one with a passphrase, which nobody is there to "
            "type: " +
                openssl_reason()
        );
    ERR_clear_error();
    if (SSL_CTX_use_PrivateKey(native_.get(), key.get()) != 1 ||
        SSL_CTX_check_private_key(native_.get()) != 1)
        refuse(
            file,
            "is not the key of the certificate in " + certificate_file + ": " + openssl_reason()
        );
}

}  // namespace gapless
