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

/// How long a stopping server waits for its clients.
struct stop_times
{
    std::chrono::milliseconds drain{};  // for the next request of a connection without one
    std::chrono::milliseconds grace{};  // for everything, `drain` included
};

/// The HTTP interface on one or more addresses. Everything happens on the one thread that runs the
/// io_context, which is also the thread to call from; no locks. The io_context and the service must
/// outlive the server and its connections; a connection ends when its request ends, so destroy in
/// the order server, service, io_context.
class server
{
public:
    /// `services`: access_service, series_lookup and pending_requests, and what the handlers need.
    /// `routes`: the whole interface; they must outlive the server. `log` gets every answered
    /// request; empty: no logging.
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

    /// Accepts connections at an address once the io_context runs. Port 0: any free one. Throws
    /// boost::system::system_error if the address is not available.
    void listen(boost::asio::ip::tcp::endpoint const& address);

    /// The same at a listening stream socket, TCP or Unix, that another process opened and may go
    /// on using: it is closed here when the server stops, and its backlog is left to others. Throws
    /// boost::system::system_error.
    void listen_on(int descriptor);

    /// Encrypts connections accepted from now on with this certificate. Existing ones stay as they
    /// are.
    void use_tls(std::shared_ptr<tls_context const> context);

    /// The first TCP address that it listens at.
    boost::asio::ip::tcp::endpoint local_endpoint() const;

    /// Stops: accepts nothing more, and answers each connection once more, with `Connection:
    /// close`. When `drain` is over, connections without a request are closed unanswered; when
    /// `grace` is over, all are. Then calls `done`, once. A second call has no effect.
    void stop(stop_times const& times, std::function<void()> done);

    http_counters const& counters() const noexcept;

private:
    struct core;
    std::shared_ptr<core> core_;
};

}  // namespace gapless
