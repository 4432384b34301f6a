#include "harness/tls_client.hpp"

#include "base/contract.hpp"

#include <array>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <thread>

namespace gapless::test {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds tls_patience{5};

std::string last_error(std::string const& otherwise)
{
    auto const* reason = ERR_reason_error_string(ERR_peek_last_error());
    return reason != nullptr ? reason : otherwise;
}

}  // namespace

void tls_client::free_native::operator()(ssl_st* native) const noexcept
{
    SSL_free(native);
}

tls_client::tls_client(
    asio::io_context& io, asio::ip::tcp::endpoint const& server, tls_wish const& wish
)
    : raw_client{io, server},
      piece_bytes_{wish.piece_bytes}
{
    std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> const context{
        SSL_CTX_new(TLS_client_method()), SSL_CTX_free};
    SSL_CTX_set_min_proto_version(context.get(), wish.least_version);
    SSL_CTX_set_max_proto_version(context.get(), wish.most_version);
    SSL_CTX_set_security_level(context.get(), 0);  // it is the server that has to refuse
    if (!wish.ciphers.empty())
        ensure(
            SSL_CTX_set_cipher_list(context.get(), wish.ciphers.c_str()) == 1,
            "OpenSSL knows the ciphers of a test"
        );
    std::string offered;
    for (auto const& name : wish.protocols)
        offered.append(1, static_cast<char>(name.size())).append(name);
    SSL_CTX_set_alpn_protos(
        context.get(),
        reinterpret_cast<unsigned char const*>(offered.data()),
        static_cast<unsigned>(offered.size())
    );
    native_.reset(SSL_new(context.get()));
    SSL_set_bio(native_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(native_.get());
}

/// What OpenSSL has to say goes to the wire, in pieces.
void tls_client::send_sealed()
{
    auto* const out = SSL_get_wbio(native_.get());
    std::string sealed(BIO_ctrl_pending(out), '\0');
    if (sealed.empty())
        return;
    BIO_read(out, sealed.data(), static_cast<int>(sealed.size()));
    for (std::string_view rest{sealed}; !rest.empty();)
    {
        boost::system::error_code failed;
        auto const count = raw_client::write_some(rest.substr(0, piece_bytes_), failed);
        if (failed && failed != asio::error::would_block)
            return;
        rest.remove_prefix(count);
        run_server();
    }
}

void tls_client::receive_sealed(boost::system::error_code& failed)
{
    std::array<char, 64 * 1'024> room;
    auto const count = raw_client::read_some(room, failed);
    if (count > 0)
        BIO_write(SSL_get_rbio(native_.get()), room.data(), static_cast<int>(count));
}

std::string tls_client::shake_hands()
{
    auto const end = std::chrono::steady_clock::now() + tls_patience;
    for (;;)
    {
        ERR_clear_error();
        auto const result = SSL_do_handshake(native_.get());
        send_sealed();
        if (result == 1)
            return "";
        if (SSL_get_error(native_.get(), result) != SSL_ERROR_WANT_READ)
            return last_error("protocol error");
        run_server();
        boost::system::error_code failed;
        receive_sealed(failed);
        if (failed && failed != asio::error::would_block)
            return "closed";
        if (std::chrono::steady_clock::now() > end)
            return "no answer";
        if (failed)
            std::this_thread::sleep_for(std::chrono::microseconds{100});
    }
}

void tls_client::begin_handshake()
{
    SSL_do_handshake(native_.get());
    send_sealed();
}

std::size_t tls_client::write_some(std::string_view bytes, boost::system::error_code& failed)
{
    ERR_clear_error();
    if (SSL_write(native_.get(), bytes.data(), static_cast<int>(bytes.size())) <= 0)
    {
        failed = asio::error::broken_pipe;
        return 0;
    }
    send_sealed();
    return bytes.size();
}

std::size_t tls_client::read_some(std::span<char> room, boost::system::error_code& failed)
{
    for (;;)
    {
        ERR_clear_error();
        std::size_t count{};
        auto const result = SSL_read_ex(native_.get(), room.data(), room.size(), &count);
        if (result == 1)
            return count;
        if (SSL_get_error(native_.get(), result) != SSL_ERROR_WANT_READ)
        {
            failed = asio::error::eof;
            return 0;
        }
        receive_sealed(failed);
        if (failed)
            return 0;
    }
}

void tls_client::say_goodbye()
{
    SSL_shutdown(native_.get());
    send_sealed();
}

bool tls_client::got_goodbye() const noexcept
{
    return (SSL_get_shutdown(native_.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
}

std::string tls_client::version() const
{
    return SSL_get_version(native_.get());
}

std::string tls_client::cipher() const
{
    return SSL_get_cipher_name(native_.get());
}

std::string tls_client::protocol() const
{
    unsigned char const* name{};
    unsigned size{};
    SSL_get0_alpn_selected(native_.get(), &name, &size);
    return {reinterpret_cast<char const*>(name), size};
}

std::string tls_client::certificate_name() const
{
    std::unique_ptr<X509, decltype(&X509_free)> const certificate{
        SSL_get1_peer_certificate(native_.get()), X509_free};
    if (!certificate)
        return "";
    std::array<char, 256> name{};
    X509_NAME_get_text_by_NID(
        X509_get_subject_name(certificate.get()), NID_commonName, name.data(), name.size()
    );
    return name.data();
}

std::string tls_client::renegotiate()
{
    ERR_clear_error();
    if (SSL_renegotiate(native_.get()) != 1)
        return last_error("protocol error");
    return shake_hands();
}

}  // namespace gapless::test
