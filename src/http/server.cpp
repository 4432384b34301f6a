#include "http/server.hpp"

#include "base/as_outcome.hpp"
#include "base/contract.hpp"
#include "base/log.hpp"
#include "http/connection.hpp"
#include "http/pending_request.hpp"
#include "http/spawn.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <deque>
#include <limits>
#include <utility>

namespace gapless {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using boost::system::error_code;

/// A socket that connections come from.
struct listener
{
    boost::asio::ip::tcp::acceptor acceptor;
    bool handed_over{};  // other processes have the socket, too
};

/// Shared by the coroutines and timers of a server; outlives the server as long as they need it.
struct server::core : std::enable_shared_from_this<server::core>
{
    boost::asio::io_context& io;
    std::shared_ptr<server_state> state;
    std::deque<listener> listeners;
    std::size_t accepting{};  // coroutines that have not ended
    boost::intrusive::list<http_connection, boost::intrusive::constant_time_size<false>>
        connections;
    boost::asio::steady_timer sweep_timer{io};
    boost::asio::steady_timer drain_timer{io};
    boost::asio::steady_timer grace_timer{io};
    std::function<void()> done;
    bool swept{};  // the sweep timer is running
    std::chrono::steady_clock::time_point failure_logged{};

    core(boost::asio::io_context& context, std::shared_ptr<server_state> shared)
        : io{context},
          state{std::move(shared)}
    {
    }

    boost::asio::awaitable<void> accept_from(
        std::shared_ptr<core> self, boost::asio::ip::tcp::acceptor& acceptor
    );
    bool is_full() const noexcept;
    void make_room();
    void admit(boost::asio::ip::tcp::socket socket);
    void turn_away(boost::asio::ip::tcp::socket& socket);
    void note_failure(boost::system::error_code const& why);
    void sweep_later();
    void begin_accepting(listener added);
    void stop_accepting();
    void part_from_idle();
    void end_when_empty();
    void end_stop();
    void cut_all();
};

namespace {

constexpr std::chrono::milliseconds accept_pause{100};
constexpr std::chrono::seconds accept_log_pause{1};

}  // namespace

/// Accepts until the acceptor is closed. `self` keeps the acceptor alive.
asio::awaitable<void> server::core::accept_from(std::shared_ptr<core> self, tcp::acceptor& acceptor)
{
    while (acceptor.is_open())
    {
        tcp::socket socket{io};
        auto const outcome = co_await acceptor.async_accept(socket, as_outcome);
        auto const failed = std::get<0>(outcome);
        if (!failed)
        {
            self->admit(std::move(socket));
            continue;
        }
        if (!acceptor.is_open())
            break;
        if (failed == asio::error::connection_aborted)
            continue;
        // Out of descriptors or memory: the connection stays in the backlog for now.
        self->note_failure(failed);
        asio::steady_timer pause{io, accept_pause};
        co_await pause.async_wait(as_outcome);
    }
    --self->accepting;
    self->end_when_empty();
}

void server::core::begin_accepting(listener added)
{
    added.acceptor.non_blocking(true);
    auto& kept = listeners.emplace_back(std::move(added));
    ++accepting;
    asio::co_spawn(
        io, accept_from(shared_from_this(), kept.acceptor), log_failure_as("accepting_failed")
    );
    if (listeners.size() == 1)
        sweep_later();
}

/// Connections whose client has left end when their request has ended; until then they are limited,
/// too.
bool server::core::is_full() const noexcept
{
    auto const most = state->limits.connections_max;
    return state->counters.connections_open >= most || state->connections >= 4 * most;
}

/// An active client has priority over one that is most likely gone, and a new one over the one that
/// has been idle for longest: HTTP lets a server close an idle connection at any time.
void server::core::make_room()
{
    for (auto& each : connections)
        if (each.make_room())
            return;
    http_connection* longest{};
    auto least = std::numeric_limits<std::uint64_t>::max();
    for (auto& each : connections)
        if (auto const since = each.waits_since(); since && *since < least)
        {
            longest = &each;
            least = *since;
        }
    if (longest)
        longest->cut();
}

void server::core::admit(tcp::socket socket)
{
    auto& counters = state->counters;
    ++counters.connections_accepted;
    if (is_full())
        make_room();
    if (is_full())
        return turn_away(socket);
    auto const admitted = std::make_shared<http_connection>(std::move(socket), state);
    connections.push_back(*admitted);
    admitted->start();
}

/// Refuses a connection too many: 503, as far as the socket takes it at once. With TLS: closes.
void server::core::turn_away(tcp::socket& socket)
{
    ++state->counters.connections_refused;
    if (state->tls)
        return;  // an answer would cost a handshake
    answer given;
    write_request_id(++state->requests_begun, given.request_id);
    state->problems.write(
        given, refusal{refusal_kind::overloaded, "The server has as many connections as it takes."}
    );
    std::string bytes;
    append_head(bytes, given, connection_header::close);
    bytes += given.body;

    error_code ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(bytes), ignored);
    socket.shutdown(tcp::socket::shutdown_send, ignored);
    // Discard what the client has sent: closing with unread bytes would reset the connection, and
    // the answer would be lost.
    std::array<char, 4'096> unread;
    socket.read_some(asio::buffer(unread), ignored);
}

void server::core::note_failure(error_code const& why)
{
    ++state->counters.accept_failures;
    auto const now = std::chrono::steady_clock::now();
    if (now - failure_logged < accept_log_pause)
        return;
    failure_logged = now;
    log_event(log_level::error, "accept_failed", {{"why", why.message()}});
}

void server::core::sweep_later()
{
    sweep_timer.expires_after(state->limits.sweep_period);
    sweep_timer.async_wait([self = shared_from_this()](error_code const& cancelled) {
        if (cancelled)
            return;
        ++self->state->sweep;
        for (auto& each : self->connections)
            each.look_at_deadline();
        self->sweep_later();
    });
}

server::server(
    asio::io_context& io,
    service_set services,
    std::span<route const> routes,
    http_limits const& limits,
    http_log log
)
    : core_{std::make_shared<core>(
          io,
          std::make_shared<server_state>(server_state{
              .services = std::move(services),
              .routes = routes,
              .limits = limits,
              .log = std::move(log)})
      )}
{
    std::weak_ptr<core> const weak{core_};
    core_->state->on_connection_ended = [weak] {
        if (auto const held = weak.lock())
            held->end_when_empty();
    };
}

void server::listen(tcp::endpoint const& address)
{
    tcp::acceptor acceptor{core_->io};
    acceptor.open(address.protocol());
    acceptor.set_option(tcp::acceptor::reuse_address{true});
    acceptor.bind(address);
    acceptor.listen();
    core_->begin_accepting({std::move(acceptor), false});
}

void server::listen_on(int descriptor)
{
    // v4 or v6 matters only for opening a socket: accepting needs no address.
    core_->begin_accepting({tcp::acceptor{core_->io, tcp::v4(), descriptor}, true});
}

void server::use_tls(std::shared_ptr<tls_context const> context)
{
    core_->state->counters.tls_certificate_expires = context->expires().time_since_epoch().count();
    core_->state->tls = std::move(context);
}

tcp::endpoint server::local_endpoint() const
{
    ensure(!core_->listeners.empty(), "a server listens before it is asked where");
    return core_->listeners.front().acceptor.local_endpoint();
}

http_counters const& server::counters() const noexcept
{
    return core_->state->counters;
}

// Stopping a server.

/// Clients in the backlog of a socket of our own are connected already and would be reset. A socket
/// that was handed over keeps them for the next process.
void server::core::stop_accepting()
{
    for (auto& each : listeners)
    {
        error_code failed;
        auto waiting_max = each.handed_over ? 0 : tcp::acceptor::max_listen_connections;
        for (; waiting_max > 0 && !failed; --waiting_max)
        {
            tcp::socket socket{io};
            each.acceptor.accept(socket, failed);
            if (!failed)
                admit(std::move(socket));
        }
        each.acceptor.close(failed);
    }
}

void server::core::cut_all()
{
    for (auto& each : connections)
        each.cut();
}

void server::core::part_from_idle()
{
    for (auto& each : connections)
        each.part_when_idle();
}

/// An accepted socket may not have its http_connection yet, so the acceptors count.
void server::core::end_when_empty()
{
    if (state->stopping && accepting == 0 && state->connections == 0)
        end_stop();
}

/// The last connection has ended, or the grace period is over.
void server::core::end_stop()
{
    sweep_timer.cancel();
    drain_timer.cancel();
    grace_timer.cancel();
    if (!done)
        return;
    asio::post(io, std::move(done));
    done = nullptr;
}

server::~server()
{
    core_->state->stopping = true;
    for (auto& each : core_->listeners)
    {
        error_code ignored;
        each.acceptor.close(ignored);
    }
    core_->cut_all();
    core_->done = nullptr;
    core_->end_stop();
}

void server::stop(stop_times const& times, std::function<void()> done)
{
    if (std::exchange(core_->state->stopping, true))
        return;
    core_->done = std::move(done);
    core_->stop_accepting();
    core_->state->services.get<pending_requests>().end_waiting();
    core_->drain_timer.expires_after(times.drain);
    core_->drain_timer.async_wait([held = core_](error_code const& cancelled) {
        if (!cancelled)
            held->part_from_idle();
    });
    core_->grace_timer.expires_after(times.grace);
    core_->grace_timer.async_wait([held = core_](error_code const& cancelled) {
        if (cancelled)
            return;
        held->cut_all();
        held->end_stop();
    });
    core_->end_when_empty();
}

}  // namespace gapless
