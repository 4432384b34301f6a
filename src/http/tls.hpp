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

/// A certificate or a key that cannot be used. The text names the file, the cause and the way out.
struct bad_certificate : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// Certificate, key and rules of encrypted connections: TLS 1.2 and 1.3, forward secrecy and
/// authenticated ciphers only, neither renegotiation nor compression nor early data, http/1.1 by
/// ALPN. Sessions are not resumed: clients keep their connections. Does not change; a channel keeps
/// what it needs of it.
class tls_context
{
public:
    /// Reads PEM files: the certificate, with those of its issuers behind it, and its key, without
    /// a passphrase. Throws bad_certificate when one cannot be read, when they do not belong
    /// together, when the certificate is not valid now, or when everybody may read the key. Blocks
    /// as files do.
    tls_context(std::string const& certificate_file, std::string const& key_file);

    /// When the certificate ends.
    std::chrono::sys_seconds expires() const noexcept { return expires_; }

    /// A group may read the key, and root did not want it so.
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

/// The server's end of one encrypted connection, without a socket: what the client sent goes in,
/// what it is to get comes out. So each call ends after the bytes at hand, whatever a client sends.
/// One thread at a time.
class tls_channel
{
public:
    enum class progress
    {
        wants_bytes = 1,
        done,
        failed,
    };

    /// Throws std::runtime_error when there is no memory for it.
    explicit tls_channel(tls_context const& context);

    /// Where to put what the client sent; take() then takes the first `count` bytes of it.
    std::span<char> room() noexcept;
    void take(std::size_t count);

    /// Goes on with the handshake as far as the bytes do. Repeat with more bytes until it is done
    /// or has failed; each time there may be something to send.
    progress shake_hands();

    /// Why the handshake failed.
    std::string const& failure() const noexcept { return failure_; }

    /// It failed because the client speaks HTTP without TLS.
    bool met_plain_http() const noexcept { return met_plain_http_; }

    /// Decrypts; returns how many bytes. 0: more bytes are needed, or none will come (has_ended).
    std::size_t read(std::span<char> to);

    /// The client said that it ends, or what it sent makes no sense.
    bool has_ended() const noexcept { return ended_; }

    /// Appends the encryption of `plain` to `sealed`. Appends less once the connection is broken.
    void write(std::string_view plain, std::string& sealed);

    /// Appends what the protocol itself has to send: handshake, alerts.
    void take_outgoing(std::string& sealed);

    /// Writes the last words of this side (close_notify) to `sealed`, once; returns how many bytes.
    /// 0: there was no handshake, or the connection is broken.
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
