#include "http/tls.hpp"

#include <algorithm>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

namespace gapless {

namespace {

constexpr std::size_t room_bytes = 4 * 1'024;
constexpr std::size_t record_bytes_max = 16 * 1'024;  // of plain text in one record

int to_int(std::size_t size) noexcept
{
    return static_cast<int>(size);
}

}  // namespace

void tls_channel::free_native::operator()(ssl_st* native) const noexcept
{
    SSL_free(native);
}

tls_channel::tls_channel(tls_context const& context)
    : native_{SSL_new(context.native_.get())},
      room_{std::make_unique_for_overwrite<char[]>(room_bytes)}
{
    auto* const in = BIO_new(BIO_s_mem());
    auto* const out = BIO_new(BIO_s_mem());
    if (!native_ || in == nullptr || out == nullptr)
    {
        BIO_free(in);
        BIO_free(out);
        throw std::runtime_error{"no memory for an encrypted connection"};
    }
    SSL_set_bio(native_.get(), in, out);
    SSL_set_accept_state(native_.get());
}

std::span<char> tls_channel::room() noexcept
{
    return {room_.get(), room_bytes};
}

void tls_channel::take(std::size_t count)
{
    // The memory BIO takes all of it unless memory runs out: then the record is broken, and the
    // connection ends.
    BIO_write(SSL_get_rbio(native_.get()), room_.get(), to_int(count));
}

tls_channel::progress tls_channel::shake_hands()
{
    // libpq uses OpenSSL on this thread as well; its leftover errors would be taken for ours.
    ERR_clear_error();
    auto const result = SSL_do_handshake(native_.get());
    if (result == 1)
        return progress::done;
    if (SSL_get_error(native_.get(), result) == SSL_ERROR_WANT_READ)
        return progress::wants_bytes;
    auto const code = ERR_peek_error();
    auto const* reason = ERR_reason_error_string(code);
    failure_ = reason != nullptr ? reason : "protocol error";
    met_plain_http_ =
        ERR_GET_LIB(code) == ERR_LIB_SSL && ERR_GET_REASON(code) == SSL_R_HTTP_REQUEST;
    ended_ = true;
    return progress::failed;
}

std::size_t tls_channel::read(std::span<char> to)
{
    if (ended_)
        return 0;
    ERR_clear_error();
    std::size_t count{};
    auto const result = SSL_read_ex(native_.get(), to.data(), to.size(), &count);
    if (result == 1)
        return count;
    ended_ = SSL_get_error(native_.get(), result) != SSL_ERROR_WANT_READ;
    return 0;
}

void tls_channel::write(std::string_view plain, std::string& sealed)
{
    // In pieces, so that OpenSSL's buffers stay small however long an answer is.
    while (!plain.empty())
    {
        auto const piece = plain.substr(0, record_bytes_max);
        ERR_clear_error();
        if (SSL_write(native_.get(), piece.data(), to_int(piece.size())) <= 0)
        {
            ended_ = true;
            return;
        }
        take_outgoing(sealed);
        plain.remove_prefix(piece.size());
    }
}

void tls_channel::take_outgoing(std::string& sealed)
{
    auto* const out = SSL_get_wbio(native_.get());
    auto const count = BIO_ctrl_pending(out);
    if (count == 0)
        return;
    auto const before = sealed.size();
    sealed.resize(before + count);
    BIO_read(out, sealed.data() + before, to_int(count));
}

std::size_t tls_channel::say_goodbye(std::span<char> sealed) noexcept
{
    ERR_clear_error();
    auto const said = (SSL_get_shutdown(native_.get()) & SSL_SENT_SHUTDOWN) != 0;
    if (SSL_is_init_finished(native_.get()) == 1 && !said)
        SSL_shutdown(native_.get());
    auto const count = BIO_read(SSL_get_wbio(native_.get()), sealed.data(), to_int(sealed.size()));
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

}  // namespace gapless
