#include "http/server_core.hpp"

#include <boost/asio/post.hpp>

#include <utility>

/// How a server ends.
namespace gapless {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using boost::system::error_code;

/// Who waits in the backlog of a socket of our own is connected already, and would be reset. A
/// socket that was handed over keeps them for the next process.
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
    for (auto& each : sessions)
        each.cut();
}

/// Clients come again, to another instance or the next one.
void server::core::end_streams()
{
    for (auto& each : sessions)
        each.end_stream();
}

void server::core::part_from_idle()
{
    for (auto& each : sessions)
        each.part_when_idle();
}

/// A connection may have been accepted that no session knows of yet, so the acceptors count.
void server::core::end_when_empty()
{
    if (state->stopping && accepting == 0 && state->sessions == 0)
        end_stop();
}

/// The last session is gone, or the grace is over.
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
    core_->end_streams();
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
