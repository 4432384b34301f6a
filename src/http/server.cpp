#include "http/server.hpp"

#include "base/contract.hpp"
#include "base/log.hpp"
#include "http/session.hpp"
#include "http/spawn.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <deque>

namespace gapless {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr auto as_outcome = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::milliseconds accept_pause{100};
constexpr std::chrono::seconds failure_log_pause{1};

}  // namespace

/// What the coroutines and timers of a server share with it; outlives it by as much as they do.
struct server::core : std::enable_shared_from_this<server::core>
{
    asio::io_context& io;
    std::shared_ptr<server_state> state;
    std::deque<tcp::acceptor> acceptors;
    boost::intrusive::list<session, boost::intrusive::constant_time_size<false>> sessions;
    asio::steady_timer sweep_timer{io};
    asio::steady_timer grace_timer{io};
    std::function<void()> done;
    bool swept{};  // the sweep timer runs
    std::chrono::steady_clock::time_point failure_logged{};

    core(asio::io_context& context, std::shared_ptr<server_state> shared)
        : io{context},
          state{std::move(shared)}
    {
    }

    asio::awaitable<void> accept_from(std::shared_ptr<core> self, tcp::acceptor& acceptor);
    bool is_full() const noexcept;
    void make_room();
    void admit(tcp::socket socket);
    void turn_away(tcp::socket& socket);
    void note_failure(error_code const& why);
    void sweep_later();
    void end_stop();
    void cut_all();
};

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
        // No descriptor or no memory: the connection stays in the backlog until there is.
        self->note_failure(failed);
        asio::steady_timer pause{io, accept_pause};
        co_await pause.async_wait(as_outcome);
    }
}

/// Sessions without a client end by themselves when their request has; until then they are
/// bounded, too.
bool server::core::is_full() const noexcept
{
    auto const most = state->limits.connections_max;
    return state->counters.connections_open >= most || state->sessions >= 4 * most;
}

/// A client that is there goes before one that is most likely gone.
void server::core::make_room()
{
    for (auto& each : sessions)
        if (each.make_room())
            return;
}

void server::core::admit(tcp::socket socket)
{
    auto& counters = state->counters;
    ++counters.connections_accepted;
    if (is_full())
        make_room();
    if (is_full())
        return turn_away(socket);
    auto const admitted = std::make_shared<session>(std::move(socket), state);
    sessions.push_back(*admitted);
    admitted->start();
}

/// One connection too many: 503, as far as the socket takes it at once. Under TLS: closed.
void server::core::turn_away(tcp::socket& socket)
{
    ++state->counters.connections_refused;
    if (state->tls)
        return;  // words would cost a handshake
    answer given;
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
    // What the client has sent is read away: closing over it would reset the connection, answer
    // included.
    std::array<char, 4'096> unread;
    socket.read_some(asio::buffer(unread), ignored);
}

void server::core::note_failure(error_code const& why)
{
    ++state->counters.accept_failures;
    auto const now = std::chrono::steady_clock::now();
    if (now - failure_logged < failure_log_pause)
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
        for (auto& each : self->sessions)
            each.look_at_deadline();
        self->sweep_later();
    });
}

void server::core::cut_all()
{
    for (auto& each : sessions)
        each.cut();
}

/// The last session is gone, or the grace is over.
void server::core::end_stop()
{
    sweep_timer.cancel();
    grace_timer.cancel();
    if (!done)
        return;
    asio::post(io, std::move(done));
    done = nullptr;
}

server::server(asio::io_context& io, numbering& service, http_limits const& limits, http_log log)
    : core_{std::make_shared<core>(
          io,
          std::make_shared<server_state>(server_state{
              .service = service, .limits = limits, .log = std::move(log)})
      )}
{
    std::weak_ptr<core> const weak{core_};
    core_->state->on_session_ended = [weak] {
        auto const held = weak.lock();
        if (held && held->state->stopping && held->state->sessions == 0)
            held->end_stop();
    };
}

server::~server()
{
    core_->state->stopping = true;
    for (auto& acceptor : core_->acceptors)
    {
        error_code ignored;
        acceptor.close(ignored);
    }
    core_->cut_all();
    core_->done = nullptr;
    core_->end_stop();
}

void server::listen(tcp::endpoint const& address)
{
    tcp::acceptor acceptor{core_->io};
    acceptor.open(address.protocol());
    acceptor.set_option(tcp::acceptor::reuse_address{true});
    acceptor.bind(address);
    acceptor.listen();
    auto& kept = core_->acceptors.emplace_back(std::move(acceptor));
    asio::co_spawn(core_->io, core_->accept_from(core_, kept), log_failure_as("accepting_failed"));
    if (core_->acceptors.size() == 1)
        core_->sweep_later();
}

void server::use_tls(std::shared_ptr<tls_context const> context)
{
    core_->state->counters.tls_certificate_expires = context->expires().time_since_epoch().count();
    core_->state->tls = std::move(context);
}

tcp::endpoint server::local_endpoint() const
{
    ensure(!core_->acceptors.empty(), "a server listens before it is asked where");
    return core_->acceptors.front().local_endpoint();
}

void server::stop(std::chrono::milliseconds grace, std::function<void()> done)
{
    auto& state = *core_->state;
    if (state.stopping)
        return;
    state.stopping = true;
    core_->done = std::move(done);
    for (auto& acceptor : core_->acceptors)
    {
        error_code ignored;
        acceptor.close(ignored);
    }
    for (auto& each : core_->sessions)
        each.close_when_idle();
    if (state.sessions == 0)
        return core_->end_stop();
    core_->grace_timer.expires_after(grace);
    core_->grace_timer.async_wait([held = core_](error_code const& cancelled) {
        if (cancelled)
            return;
        held->cut_all();
        held->end_stop();
    });
}

http_counters const& server::counters() const noexcept
{
    return core_->state->counters;
}

}  // namespace gapless
