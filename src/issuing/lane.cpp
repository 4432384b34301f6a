#include "issuing/lane.hpp"

#include "base/contract.hpp"
#include "issuing/batch_protocol.hpp"
#include "issuing/lane_connection.hpp"
#include "issuing/lane_wire.hpp"
#include "postgres/connection.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <deque>
#include <random>

namespace gapless {

namespace asio = boost::asio;
using boost::system::error_code;

/// Kept alive by every handler it starts, so that a lane can be destroyed at any time.
class lane::implementation : public std::enable_shared_from_this<implementation>
{
public:
    using clock = std::chrono::steady_clock;

    implementation(
        asio::io_context& io,
        asio::thread_pool& connector,
        lane_settings settings,
        lane_events events
    )
        : io_{io},
          connector_{connector},
          settings_{std::move(settings)},
          events_{std::move(events)},
          retry_timer_{io},
          watch_timer_{io}
    {
    }

    ~implementation() { forget_connection(); }
    implementation(implementation const&) = delete;
    implementation& operator=(implementation const&) = delete;

    void connect();
    void stop();
    void lose(std::string const& why);
    void accuse(std::string const& why);
    void send(lane_batch batch);
    void probe();

    bool connected() const noexcept { return socket_ != nullptr; }
    std::string const& server() const noexcept { return connection_.server; }
    admitted_database const& admitted() const noexcept { return connection_.admitted; }

private:
    /// Where a batch on the wire is.
    enum class stage
    {
        locking,
        at_work,
        unlocking,  // ended, as far as its sender is concerned
        probing     // no batch at all
    };

    struct sent_batch
    {
        lane_batch batch;
        batch_end end;
        bool locks{};
        bool lock_timed_out{};
        stage now{};
    };

    void open_connection(std::string const& accusation) noexcept;
    void watch_set_up();
    void adopt(lane_connection connection);
    bool stand_up(lane_connection connection);
    void forget_connection() noexcept;
    void retry_later();
    void wait_readable();
    void wait_writable();
    void on_readable(error_code error);
    void lose_later(std::string why);
    void flush();
    void drain();
    void take(result_pointer result);
    void end_batch(sent_batch& sent);
    void forget_oldest();

    asio::io_context& io_;
    asio::thread_pool& connector_;  // belongs to the lane, which waits for it
    lane_settings settings_;
    lane_events events_;
    asio::steady_timer retry_timer_;
    asio::steady_timer watch_timer_;
    set_up_watch watch_;
    bool connecting_{};
    bool outdated_{};  // what is being set up is to be thrown away
    int failures_{};
    std::string accusation_;  // told to the database on the next connection; empty: none
    bool stopped_{};

    lane_connection connection_;
    std::unique_ptr<lane_wire> wire_;  // of the connection; none: not connected
    // None: not connected. The descriptor is libpq's, which closes it.
    std::unique_ptr<asio::posix::stream_descriptor> socket_;
    bool writing_{};
    std::deque<sent_batch> sent_;
    std::size_t
        ended_{};  // how many of sent_ (from the front) have ended and only wait for their unlock
    std::string warning_;  // the server's latest since the present statement began
    binary_parameters parameters_;
};

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
        events_.lost(connection.trouble->detail, connection.cause);
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
        events_.lost("the connection cannot be waited for: " + error.code().message(), {});
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
    events_.lost(why, {});
    for (auto n = ended; n < unfinished.size(); ++n)
        if (unfinished[n].now != stage::probing)
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

admitted_database const& lane::admitted() const noexcept
{
    return implementation_->admitted();
}

void lane::send(lane_batch batch)
{
    implementation_->send(std::move(batch));
}

void lane::probe()
{
    implementation_->probe();
}

// The way of a batch through the connection.

void lane::implementation::send(lane_batch batch)
{
    ensure(connected(), "a batch is sent on a connection that stands");
    ensure(!batch.requests.empty(), "a batch has requests");
    auto& sent = sent_.emplace_back();
    sent.batch = std::move(batch);
    sent.batch.counter_oid = connection_.admitted.counter_oid;
    sent.locks = sent.batch.manners == courtesy::lock;
    sent.now = sent.locks ? stage::locking : stage::at_work;
    if (send_batch(*wire_, sent.batch, parameters_))
        return flush();
    lose_later("a batch could not be sent: " + wire_->trouble());
}

void lane::implementation::probe()
{
    if (!connected())
        return;  // lost since the probe was decided
    sent_.emplace_back().now = stage::probing;
    if (wire_->probe())
        return flush();
    lose_later("the database could not be asked: " + wire_->trouble());
}

/// Not from inside send(): the sender is in the middle of its own work.
void lane::implementation::lose_later(std::string why)
{
    asio::post(io_, [self = shared_from_this(), why = std::move(why)] {
        if (self->connected())
            self->lose(why);
    });
}

void lane::implementation::flush()
{
    if (!wire_->flush() && !writing_)
        wait_writable();
}

void lane::implementation::wait_writable()
{
    writing_ = true;
    socket_->async_wait(
        asio::posix::stream_descriptor::wait_write,
        [self = shared_from_this()](error_code error) {
            if (error || !self->connected())
                return;
            self->writing_ = false;
            self->flush();
        }
    );
}

void lane::implementation::wait_readable()
{
    socket_->async_wait(
        asio::posix::stream_descriptor::wait_read,
        [self = shared_from_this()](error_code error) { self->on_readable(error); }
    );
}

void lane::implementation::on_readable(error_code error)
{
    if (error || !connected())
        return;
    // What arrived before the connection broke still counts.
    auto const alive = wire_->receive();
    drain();
    if (!connected())
        return;
    if (alive)
        wait_readable();
    else
        lose(wire_->trouble());
}

void lane::implementation::drain()
{
    while (connected())
    {
        auto result = wire_->next_result();
        if (!result)
            return;
        take(std::move(result));
    }
}

void lane::implementation::take(result_pointer result)
{
    auto const status = PQresultStatus(result.get());
    if (sent_.empty())
        return lose(wire_->trouble());

    // The oldest batch whose last Sync is still due is the one that speaks.
    auto& sent = sent_.front();
    if (status != PGRES_PIPELINE_SYNC)
    {
        // An error behind the rows: the COMMIT failed.
        if (sent.now == stage::at_work &&
            (sent.end.fate == batch_fate{} || status == PGRES_FATAL_ERROR))
            sent.end = read_batch_result(sent.batch, result.get());
        else if (sent.now == stage::locking && status == PGRES_FATAL_ERROR)
            sent.lock_timed_out = true;
        return;
    }
    switch (sent.now)
    {
    case stage::locking:
        warning_.clear();
        sent.now = stage::at_work;
        break;
    case stage::at_work: end_batch(sent); break;
    case stage::unlocking:
        warning_.clear();
        --ended_;
        sent_.pop_front();
        break;
    case stage::probing:
        warning_.clear();
        sent_.pop_front();
        events_.heard();
        break;
    }
}

void lane::implementation::end_batch(sent_batch& sent)
{
    ensure(sent.end.fate != batch_fate{}, "a Sync follows the result of its batch");
    if (!warning_.empty() && sent.end.fate == batch_fate::done)
        // A wait for the synchronous standby that was cut short is a warning, then success. Nobody
        // knows what the standby has; the batch ends as unknown with its connection.
        return lose("the server warned at COMMIT: " + warning_);
    warning_.clear();
    auto end = std::move(sent.end);
    end.lock_timed_out = sent.lock_timed_out;
    if (sent.locks)
    {
        sent.now = stage::unlocking;
        ++ended_;
    }
    else
        sent_.pop_front();
    auto const unfit = end.unfit;
    auto const accuses = end.accuses;
    auto const why = end.why.detail;
    events_.ended(std::move(end));
    if (accuses)
        accusation_ = why;
    if (unfit && connected())
        lose("the session is not fit to issue: " + why);
    else if (accuses && connected())
        lose(why);
}

}  // namespace gapless
