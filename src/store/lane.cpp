#include "store/lane.hpp"

#include "store/connection.hpp"
#include "store/lane_implementation.hpp"

#include <boost/asio/post.hpp>

#include <random>
#include <unistd.h>

namespace gapless {

void lane::implementation::connect()
{
    if (stopped_)
        return;
    auto open = [self = shared_from_this(), accusation = accusation_] {
        auto opened =
            std::make_shared<lane_connection>(open_lane_connection(self->settings_, accusation));
        asio::post(self->io_, [self, opened] { self->adopt(std::move(*opened)); });
    };
    asio::post(connectors_, std::move(open));
}

void lane::implementation::adopt(lane_connection connection)
{
    if (stopped_)
        return;
    if (!connection.trouble.empty())
    {
        if (connection.fenced)
        {
            accusation_.clear();  // whoever is accused is fenced by now
            events_.fenced(connection.trouble);
        }
        else
            events_.lost(connection.trouble);
        retry_later();
        return;
    }
    failures_ = 0;
    accusation_.clear();  // the fence it asked for was raised, and lifted by a new epoch since
    connection_ = std::move(connection);
    PQsetNoticeReceiver(
        connection_.handle.get(),
        [](void* text, PGresult const* notice) {
            auto const* severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
            if (severity != nullptr && std::string_view{severity} == "WARNING")
                *static_cast<std::string*>(text) =
                    PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
        },
        &warning_
    );
    socket_ = std::make_unique<asio::posix::stream_descriptor>(
        io_, ::dup(PQsocket(connection_.handle.get()))
    );
    wait_readable();
    if (settings_.changed)
        settings_.changed();
    events_.connected();
}

void lane::implementation::retry_later()
{
    // Full jitter, so that many instances do not come back in step.
    static thread_local std::minstd_rand dice{std::random_device{}()};
    failures_ = std::min(failures_ + 1, 10);
    auto const ceiling = std::min<std::chrono::milliseconds>(
        std::chrono::milliseconds{25} * (1 << failures_), settings_.reconnect_pause_max
    );
    retry_timer_.expires_after(std::chrono::milliseconds{
        std::uniform_int_distribution<std::chrono::milliseconds::rep>{10, ceiling.count()}(dice)});
    retry_timer_.async_wait([self = shared_from_this()](error_code error) {
        if (!error)
            self->connect();
    });
}

void lane::implementation::stop()
{
    stopped_ = true;
    retry_timer_.cancel();
    if (connected())
        lose("the service stops");
}

void lane::implementation::lose(std::string const& why)
{
    socket_.reset();
    connection_.handle.reset();
    writing_ = false;
    warning_.clear();
    auto const unfinished = std::exchange(sent_, {});
    auto const ended = std::exchange(ended_, 0);
    // The youngest first: each goes back to the front of its line, so that they end up in their old
    // order.
    for (auto n = unfinished.size(); n > ended; --n)
        events_.ended({unfinished[n - 1].batch.id, batch_fate::unknown, {}, {}, false});
    events_.lost(why);
    if (settings_.changed)
        settings_.changed();
    if (!stopped_)
        retry_later();
}

lane::lane(
    asio::io_context& io, asio::thread_pool& connectors, lane_settings settings, lane_events events
)
    : implementation_{
          std::make_shared<implementation>(io, connectors, std::move(settings), std::move(events))}
{
}

lane::~lane()
{
    implementation_->stop();
}

void lane::start()
{
    implementation_->connect();
}

void lane::stop()
{
    implementation_->stop();
}

void lane::drop(std::string const& why)
{
    if (implementation_->connected())
        implementation_->lose(why);
}

bool lane::connected() const noexcept
{
    return implementation_->connected();
}

bool lane::contested() const noexcept
{
    return implementation_->contested();
}

std::size_t lane::in_flight() const noexcept
{
    return implementation_->in_flight();
}

void lane::send(lane_batch batch)
{
    implementation_->send(std::move(batch));
}

}  // namespace gapless
