#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

// OpenSSL's own; its headers stay in tls_context.cpp and tls_channel.cpp.
struct ssl_ctx_st;
struct ssl_st;

namespace gapless {

/// A certificate or key that cannot be used; the message names the file, the cause and the way out.
struct bad_certificate : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// Certificate, key and rules of encrypted connections: TLS 1.2 and 1.3, forward secrecy and
/// authenticated ciphers only, neither renegotiation nor compression nor early data, http/1.1 by
/// ALPN. Sessions are not resumed: clients keep their connections. Immutable; a channel keeps what
/// it needs.
class tls_context
{
public:
    /// Reads PEM files: the certificate, followed by those of its issuers, and its key, without a
    /// passphrase. Throws bad_certificate if one cannot be read, if they do not belong together, if
    /// the certificate is not valid now, or if everybody may read the key. Blocks on the files.
    tls_context(std::string const& certificate_file, std::string const& key_file);

    /// When the certificate expires.
    std::chrono::sys_seconds expires() const noexcept { return expires_; }

    /// A group may read the key although root did not arrange that.
    bool group_reads_key() const noexcept { return group_reads_key_; }

private:
    friend class tls_channel;

    void take_certificate(std::string const& file);
    void take_key(std::string const& file, std::string const& certificate_file);

    struct free_native
    {
        void operator()(ssl_ctx_st* native) const noexcept;
    };
    std::unique_ptr<ssl_ctx_st, free_native> native_;
    std::chrono::sys_seconds expires_{};
    bool group_reads_key_{};
};

/// The server side of one encrypted connection, without a socket: bytes from the client go in,
/// bytes for the client come out. So no call waits for the client. One thread at a time.
class tls_channel
{
public:
    enum class progress
    {
        wants_bytes = 1,
        done,
        failed,
    };

    /// Throws std::runtime_error if out of memory.
    explicit tls_channel(tls_context const& context);

    /// Where to put what the client sent; take() then takes the first `count` bytes of it.
    std::span<char> room() noexcept;
    void take(std::size_t count);

    /// Advances the handshake with the bytes at hand. Repeat with more bytes until it is done or
    /// has failed; each call may leave bytes to send.
    progress shake_hands();

    /// Why the handshake failed.
    std::string const& failure() const noexcept { return failure_; }

    /// The handshake failed because the client speaks HTTP without TLS.
    bool met_plain_http() const noexcept { return met_plain_http_; }

    /// Decrypts; returns how many bytes. 0: more bytes are needed, or none will come (has_ended).
    std::size_t read(std::span<char> to);

    /// The client sent its end, or something invalid.
    bool has_ended() const noexcept { return ended_; }

    /// Appends `plain`, encrypted, to `sealed`. Appends less once the connection is broken.
    void write(std::string_view plain, std::string& sealed);

    /// Appends what TLS itself has to send: handshake messages, alerts.
    void take_outgoing(std::string& sealed);

    /// Writes this side's close_notify to `sealed`, once; returns how many bytes. 0: there was no
    /// handshake, or the connection is broken.
    std::size_t say_goodbye(std::span<char> sealed) noexcept;

    static constexpr std::size_t goodbye_bytes_max = 256;

private:
    struct free_native
    {
        void operator()(ssl_st* native) const noexcept;
    };
    std::unique_ptr<ssl_st, free_native> native_;
    std::unique_ptr<char[]> room_;
    std::string failure_;
    bool met_plain_http_{};
    bool ended_{};
};

}  // namespace gapless
