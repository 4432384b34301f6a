#pragma once

#include "harness/raw_client.hpp"

#include <memory>
#include <string>
#include <vector>

struct ssl_st;

namespace gapless::test {

/// How a client speaks TLS.
struct tls_wish
{
    int least_version{0x0303};  // 0x0302: TLS 1.1 … 0x0304: TLS 1.3
    int most_version{0x0304};
    std::string ciphers{};                 // of TLS 1.2; empty: OpenSSL's own choice
    std::vector<std::string> protocols{};  // offered by ALPN
    std::size_t piece_bytes{64 * 1'024};   // the wire gets pieces of so many bytes
};

/// The same as raw_client, encrypted. Each send makes one record, or several when it is long.
class tls_client : public raw_client
{
public:
    tls_client(
        boost::asio::io_context& io,
        boost::asio::ip::tcp::endpoint const& server,
        tls_wish const& wish = {}
    );

    /// "", or why it failed.
    std::string shake_hands();

    /// The first bytes of a handshake and nothing more.
    void begin_handshake();

    /// Says that nothing more will be sent (close_notify).
    void say_goodbye();

    /// True when the server said that it ends, before it ended.
    bool got_goodbye() const noexcept;

    std::string version() const;   // "TLSv1.3"
    std::string cipher() const;    // "TLS_AES_256_GCM_SHA384"
    std::string protocol() const;  // by ALPN; "" for none
    std::string certificate_name() const;

    /// Asks for a new handshake, which TLS 1.2 has. Returns what came of it: "" or an error.
    std::string renegotiate();

protected:
    std::size_t write_some(std::string_view bytes, boost::system::error_code& failed) override;
    std::size_t read_some(std::span<char> room, boost::system::error_code& failed) override;

private:
    void send_sealed();
    void receive_sealed(boost::system::error_code& failed);

    struct free_native
    {
        void operator()(ssl_st* native) const noexcept;
    };
    std::unique_ptr<ssl_st, free_native> native_;
    std::size_t piece_bytes_;
};

}  // namespace gapless::test
