#pragma once

#include "http/counters.hpp"
#include "http/http_log.hpp"
#include "http/limits.hpp"
#include "http/service_set.hpp"
#include "http/tls.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <span>

namespace gapless {

struct route;

/// How long a server that stops waits for its clients.
struct stop_times
{
    std::chrono::milliseconds drain{};  // for the next request of a connection without one
    std::chrono::milliseconds grace{};  // for everything, that included
};

/// The HTTP interface on one or more addresses. Everything happens on the one thread that runs the
/// io_context, which is also the thread to call from; nothing is locked. The io_context and the
/// service outlive the server and its connections; a connection ends when its request has ended, so
/// destroy in the order server, service, io_context.
class server
{
public:
    /// `services`: access_service, series_lookup and pending_requests, and what the handlers of the
    /// routes ask for. `routes`: the whole interface; they outlive it. `log` is told every answered
    /// request; empty: requests are not logged.
    server(
        boost::asio::io_context& io,
        service_set services,
        std::span<route const> routes,
        http_limits const& limits,
        http_log log = {}
    );
    ~server();
    server(server const&) = delete;
    server& operator=(server const&) = delete;

    /// Accepts connections at an address, from the next run of the io_context on. Port 0: any free
    /// one. Throws boost::system::system_error when the address cannot be had.
    void listen(boost::asio::ip::tcp::endpoint const& address);

    /// The same at a listening stream socket, TCP or Unix, that somebody else opened and may go on
    /// to use: it is closed here when the server stops, and what waits in it is left to others.
    /// Throws boost::system::system_error.
    void listen_on(int descriptor);

    /// Connections accepted from now on are encrypted, with this certificate. Those that stand stay
    /// as they are.
    void use_tls(std::shared_ptr<tls_context const> context);

    /// The address that was listened at first; it is one of TCP.
    boost::asio::ip::tcp::endpoint local_endpoint() const;

    /// Stops: accepts nothing more, and answers each connection once more, with `Connection:
    /// close`. One that has no request when the drain is over is closed without an answer; when the
    /// grace is over, each is. Then calls `done`, once. A second call changes nothing.
    void stop(stop_times const& times, std::function<void()> done);

    http_counters const& counters() const noexcept;

private:
    struct core;
    std::shared_ptr<core> core_;
};

}  // namespace gapless
