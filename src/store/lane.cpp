#include "store/lane.hpp"

#include "base/contract.hpp"
#include "store/connection.hpp"
#include "store/lane_implementation.hpp"

#include <boost/asio/post.hpp>

#include <random>

namespace gapless {

namespace {

// How often a connection that is being set up is looked at.
constexpr std::chrono::milliseconds watch_interval{250};

void note_warning(void* text, PGresult const* notice)
{
    auto const* severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity != nullptr && std::string_view{severity} == "WARNING")
        *static_cast<std::string*>(text) = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
}

}  // namespace

void lane::implementation::connect()
{
    if (stopped_)
        return;
    connecting_ = true;
    asio::post(connector_, [self = shared_from_this(), accusation = accusation_] {
        self->open_connection(accusation);
    });
    watch_set_up();
}

/// On the connector's thread.
void lane::implementation::open_connection(std::string const& accusation) noexcept
{
    or_stop([&] {
        auto opened =
            std::make_shared<lane_connection>(open_lane_connection(settings_, accusation, watch_));
        asio::post(io_, [self = shared_from_this(), opened] { self->adopt(std::move(*opened)); });
    });
}

void lane::implementation::watch_set_up()
{
    watch_timer_.expires_after(watch_interval);
    watch_timer_.async_wait([self = shared_from_this()](error_code error) {
        if (error || !self->connecting_)
            return;
        self->watch_.cut(clock::now() - self->settings_.set_up_max);
        self->watch_set_up();
    });
}

void lane::implementation::adopt(lane_connection connection)
{
    connecting_ = false;
    watch_timer_.cancel();
    if (stopped_)
        return;
    if (std::exchange(outdated_, false))
        return retry_later();
    if (!connection.trouble)
    {
        // There may be another server at the other end than the one on which others issue.
        if (!events_.admit || events_.admit(connection.server))
        {
            if (stand_up(std::move(connection)))
                return;
        }
    }
    else if (connection.trouble->kind == refusal_kind::fenced)
    {
        accusation_.clear();  // whoever is accused is fenced by now
        events_.fenced(connection.trouble->detail);
    }
    else
        events_.lost(connection.trouble->detail);
    retry_later();
}

/// False: it could not be waited for.
bool lane::implementation::stand_up(lane_connection connection)
{
    connection_ = std::move(connection);
    PQsetNoticeReceiver(connection_.handle.get(), note_warning, &warning_);
    try
    {
        socket_ = std::make_unique<asio::posix::stream_descriptor>(
            io_, PQsocket(connection_.handle.get())
        );
    }
    catch (boost::system::system_error const& error)
    {
        forget_connection();
        events_.lost("the connection cannot be waited for: " + error.code().message());
        return false;
    }
    wire_ = open_wire(connection_.handle.get());
    failures_ = 0;
    accusation_.clear();  // the fence it asked for was raised, and lifted by a new epoch since
    wait_readable();
    if (settings_.changed)
        settings_.changed();
    events_.connected();
    return true;
}

void lane::implementation::forget_connection() noexcept
{
    if (socket_)
        socket_->release();  // libpq closes it
    socket_.reset();
    wire_.reset();
    connection_.handle.reset();
    connection_.server.clear();
    writing_ = false;
    warning_.clear();
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
    watch_timer_.cancel();
    watch_.cut(clock::time_point::max());
    if (connected())
        lose("the service stops");
}

void lane::implementation::lose(std::string const& why)
{
    forget_connection();
    auto const unfinished = std::exchange(sent_, {});
    auto const ended = std::exchange(ended_, 0);
    events_.lost(why);
    for (auto n = ended; n < unfinished.size(); ++n)
        events_.ended({.id = unfinished[n].batch.id, .fate = batch_fate::unknown});
    if (stopped_)
        return;
    if (settings_.changed)
        settings_.changed();
    retry_later();
}

void lane::implementation::accuse(std::string const& why)
{
    accusation_ = why;
    outdated_ = connecting_;  // it would issue before the fence is raised
    if (connected())
        lose(why);
}

lane::lane(asio::io_context& io, lane_settings settings, lane_events events)
    : implementation_{
          std::make_shared<implementation>(io, connector_, std::move(settings), std::move(events))}
{
}

lane::~lane()
{
    implementation_->stop();
    connector_.join();
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

void lane::accuse(std::string const& why)
{
    implementation_->accuse(why);
}

bool lane::connected() const noexcept
{
    return implementation_->connected();
}

std::string const& lane::server() const noexcept
{
    return implementation_->server();
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
