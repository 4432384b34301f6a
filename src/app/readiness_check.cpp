#include "app/readiness_check.hpp"

#include "app/listen_address.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <openssl/ssl.h>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace gapless {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;

namespace {

constexpr unsigned check_seconds_max = 3;  // readiness is answered from memory
constexpr std::size_t answer_bytes_max = 64 * 1'024;

/// The server to ask.
struct target
{
    bool tls{};
    std::string host;  // without the brackets of IPv6
    std::string port;
    std::string path{"/readyz"};
};

bool takes(std::string_view& text, std::string_view start)
{
    if (!text.starts_with(start))
        return false;
    text.remove_prefix(start.size());
    return true;
}

/// http://host:port; defaults for missing parts: http, port 80 or 443, /readyz.
target read_target(std::string_view url)
{
    target to;
    auto rest = url;
    to.tls = takes(rest, "https://");
    if (!to.tls)
        takes(rest, "http://");
    if (auto const path = rest.find('/'); path != std::string_view::npos)
    {
        if (rest.size() > path + 1)
            to.path = rest.substr(path);
        rest = rest.substr(0, path);
    }
    to.port = to.tls ? "443" : "80";
    auto const colon = rest.rfind(':');
    if (colon != std::string_view::npos && rest.find(']', colon) == std::string_view::npos)
    {
        to.port = rest.substr(colon + 1);
        rest = rest.substr(0, colon);
    }
    if (rest.starts_with('[') && rest.ends_with(']'))
        rest = rest.substr(1, rest.size() - 2);
    to.host = rest;
    if (to.host.empty() || to.port.empty())
        throw bad_setting{
            "--check '" + std::string{url} + "': allowed: a URL such as http://127.0.0.1:8080"};
    return to;
}

/// The configured address, as reachable from this machine.
target own_target(service_config const& config)
{
    auto const listens = read_listen_address(config.listen);
    if (listens.port() == 0)
        throw bad_setting{
            "listen = '" + config.listen + "' names no port: --check needs the URL to ask"};
    auto host = listens.address();
    if (host.is_unspecified())
        host = host.is_v6() ? asio::ip::address{asio::ip::address_v6::loopback()}
                            : asio::ip::address{asio::ip::address_v4::loopback()};
    return {
        .tls = !config.tls_cert.empty(),
        .host = host.to_string(),
        .port = std::to_string(listens.port())};
}

std::string request_to(target const& to)
{
    auto const bare = to.host.find(':') == std::string::npos;
    auto const host = (bare ? to.host : "[" + to.host + "]") + ":" + to.port;
    return "GET " + to.path + " HTTP/1.1\r\nHost: " + host +
           "\r\nUser-Agent: gaplessd-check\r\nConnection: close\r\n\r\n";
}

std::string exchange_plain(tcp::socket& socket, std::string const& request)
{
    asio::write(socket, asio::buffer(request));
    std::string answer;
    boost::system::error_code ended;  // however it ends, what was received counts
    asio::read(socket, asio::dynamic_buffer(answer, answer_bytes_max), ended);
    return answer;
}

/// Uses a blocking socket.
std::string exchange_sealed(tcp::socket& socket, target const& to, std::string const& request)
{
    std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> const context{
        SSL_CTX_new(TLS_client_method()), &SSL_CTX_free};
    std::unique_ptr<SSL, decltype(&SSL_free)> const tls{SSL_new(context.get()), &SSL_free};
    SSL_set_tlsext_host_name(tls.get(), to.host.c_str());
    SSL_set_fd(tls.get(), socket.native_handle());
    if (SSL_connect(tls.get()) != 1)
        throw std::runtime_error{"the TLS handshake failed"};
    SSL_write(tls.get(), request.data(), static_cast<int>(request.size()));
    std::string answer;
    std::array<char, 4'096> piece;
    while (answer.size() < answer_bytes_max)
    {
        auto const count = SSL_read(tls.get(), piece.data(), static_cast<int>(piece.size()));
        if (count <= 0)
            break;
        answer.append(piece.data(), static_cast<std::size_t>(count));
    }
    return answer;
}

std::string ask(target const& to)
{
    asio::io_context io;
    tcp::resolver resolver{io};
    tcp::socket socket{io};
    asio::connect(socket, resolver.resolve(to.host, to.port));
    auto const request = request_to(to);
    return to.tls ? exchange_sealed(socket, to, request) : exchange_plain(socket, request);
}

/// Exits in time, whether a name look-up or an answer takes too long.
void end_in_time()
{
    std::signal(SIGALRM, [](int) {
        constexpr std::string_view words{"gaplessd: not ready: no answer within 3 s\n"};
        [[maybe_unused]] auto const told = ::write(STDERR_FILENO, words.data(), words.size());
        std::_Exit(1);
    });
    ::alarm(check_seconds_max);
}

}  // namespace

int check_readiness(service_config const& config, std::string const& url)
{
    end_in_time();
    try
    {
        auto const answer = ask(url.empty() ? own_target(config) : read_target(url));
        auto const body_at = answer.find("\r\n\r\n");
        auto const body =
            body_at == std::string::npos ? std::string{"no answer"} : answer.substr(body_at + 4);
        auto const status = answer.starts_with("HTTP/1.") ? answer.substr(9, 3) : "";
        if (status == "200")
        {
            std::cout << "ready: " << body << '\n';
            return 0;
        }
        std::cerr << "gaplessd: not ready: " << status << (status.empty() ? "" : " ") << body
                  << '\n';
    }
    catch (boost::system::system_error const& error)
    {
        std::cerr << "gaplessd: not ready: " << error.code().message() << '\n';
    }
    catch (std::exception const& error)
    {
        std::cerr << "gaplessd: not ready: " << error.what() << '\n';
    }
    return 1;
}

}  // namespace gapless
