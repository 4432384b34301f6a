#include "issuing/issue_connection.hpp"

#include "base/contract.hpp"
#include "issuing/batch_protocol.hpp"
#include "issuing/pipeline.hpp"
#include "issuing/pipeline_connection.hpp"
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

/// Kept alive by every handler it starts, so that a connection can be destroyed at any time.
class issue_connection::implementation : public std::enable_shared_from_this<implementation>
{
public:
    using clock = std::chrono::steady_clock;

    implementation(
        asio::io_context& io,
        asio::thread_pool& connector,
        issue_connection_settings settings,
        issue_connection_events events
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
    void send(batch_to_issue batch);
    void probe();

    bool connected() const noexcept { return socket_ != nullptr; }
    std::string const& server() const noexcept { return connection_.server; }
    admitted_database const& admitted() const noexcept { return connection_.admitted; }

private:
    /// The stage of a batch on the wire.
    enum class stage
    {
        locking,
        at_work,
        unlocking,  // over for its sender
        probing     // not a batch
    };

    struct sent_batch
    {
        batch_to_issue batch;
        batch_end end;
        bool locks{};
        bool lock_timed_out{};
        stage now{};
    };

    void open_connection(std::string const& accusation) noexcept;
    void watch_set_up();
    void adopt(pipeline_connection connection);
    bool stand_up(pipeline_connection connection);
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
    asio::thread_pool& connector_;  // belongs to issue_connection, which waits for it
    issue_connection_settings settings_;
    issue_connection_events events_;
    asio::steady_timer retry_timer_;
    asio::steady_timer watch_timer_;
    set_up_watch watch_;
    bool connecting_{};
    bool outdated_{};  // discard what is being set up
    int failures_{};
    std::string accusation_;  // to raise on the next connection; empty: none
    bool stopped_{};

    pipeline_connection connection_;
    std::unique_ptr<pipeline> pipeline_;  // of the connection; null: not connected
    // Null: not connected. libpq owns the descriptor and closes it.
    std::unique_ptr<asio::posix::stream_descriptor> socket_;
    bool writing_{};
    std::deque<sent_batch> sent_;
    std::size_t ended_{};  // of sent_, from the front: over but for their unlock
    std::string warning_;  // the server's latest since the current statement began
    binary_parameters parameters_;
};

namespace {

// How often the set-up of a connection is checked.
constexpr std::chrono::milliseconds watch_interval{250};

std::string_view field_of(PGresult const* notice, int field)
{
    auto const* text = PQresultErrorField(notice, field);
    return text != nullptr ? text : "";
}

/// Notes a warning, unless it is of the age of transactions: with less than 40 million ids left
/// each transaction warns as it gets one, long before COMMIT (varsup.c, multixact.c). When a
/// warning came does not tell: libpq hands notices over before the rows that they followed.
void note_warning(void* text, PGresult const* notice)
{
    auto const by = field_of(notice, PG_DIAG_SOURCE_FUNCTION);
    if (field_of(notice, PG_DIAG_SEVERITY_NONLOCALIZED) == "WARNING" &&
        by != "GetNewTransactionId" && by != "GetNewMultiXactId")
        *static_cast<std::string*>(text) = field_of(notice, PG_DIAG_MESSAGE_PRIMARY);
}

}  // namespace

void issue_connection::implementation::connect()
{
    if (stopped_)
        return;
    connecting_ = true;
    asio::post(connector_, [self = shared_from_this(), accusation = accusation_] {
        self->open_connection(accusation);
    });
    watch_set_up();
}

/// Runs on the connector's thread.
void issue_connection::implementation::open_connection(std::string const& accusation) noexcept
{
    or_stop([&] {
        auto opened = std::make_shared<pipeline_connection>(
            open_pipeline_connection(settings_, accusation, watch_)
        );
        asio::post(io_, [self = shared_from_this(), opened] { self->adopt(std::move(*opened)); });
    });
}

void issue_connection::implementation::watch_set_up()
{
    watch_timer_.expires_after(watch_interval);
    watch_timer_.async_wait([self = shared_from_this()](error_code error) {
        if (error || !self->connecting_)
            return;
        self->watch_.cut(clock::now() - self->settings_.set_up_max);
        self->watch_set_up();
    });
}

void issue_connection::implementation::adopt(pipeline_connection connection)
{
    connecting_ = false;
    watch_timer_.cancel();
    if (stopped_)
        return;
    if (std::exchange(outdated_, false))
        return retry_later();
    if (!connection.trouble)
    {
        // The server at the other end may not be the one on which others issue.
        if (!events_.admit || events_.admit(connection.server))
        {
            if (stand_up(std::move(connection)))
                return;
        }
    }
    else if (connection.trouble->kind == refusal_kind::fenced)
    {
        accusation_.clear();  // the accused database is fenced by now
        events_.fenced(connection.trouble->detail);
    }
    else
        events_.lost(connection.trouble->detail, connection.cause);
    retry_later();
}

/// Returns false if the socket cannot be waited for.
bool issue_connection::implementation::stand_up(pipeline_connection connection)
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
    pipeline_ = open_pipeline(connection_.handle.get());
    failures_ = 0;
    accusation_.clear();  // its fence was raised, and a new epoch has lifted it
    wait_readable();
    if (settings_.changed)
        settings_.changed();
    events_.connected();
    return true;
}

void issue_connection::implementation::forget_connection() noexcept
{
    if (socket_)
        socket_->release();  // libpq closes it
    socket_.reset();
    pipeline_.reset();
    connection_.handle.reset();
    connection_.server.clear();
    writing_ = false;
    warning_.clear();
}

void issue_connection::implementation::retry_later()
{
    // Full jitter, so that many instances do not reconnect in step.
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

void issue_connection::implementation::stop()
{
    stopped_ = true;
    retry_timer_.cancel();
    watch_timer_.cancel();
    watch_.cut(clock::time_point::max());
    if (connected())
        lose("the service stops");
}

void issue_connection::implementation::lose(std::string const& why)
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

void issue_connection::implementation::accuse(std::string const& why)
{
    accusation_ = why;
    outdated_ = connecting_;  // would issue before the fence is raised
    if (connected())
        lose(why);
}

issue_connection::issue_connection(
    asio::io_context& io, issue_connection_settings settings, issue_connection_events events
)
    : implementation_{
          std::make_shared<implementation>(io, connector_, std::move(settings), std::move(events))}
{
}

issue_connection::~issue_connection()
{
    implementation_->stop();
    connector_.join();
}

void issue_connection::start()
{
    implementation_->connect();
}

void issue_connection::stop()
{
    implementation_->stop();
}

void issue_connection::drop(std::string const& why)
{
    if (implementation_->connected())
        implementation_->lose(why);
}

void issue_connection::accuse(std::string const& why)
{
    implementation_->accuse(why);
}

bool issue_connection::connected() const noexcept
{
    return implementation_->connected();
}

std::string const& issue_connection::server() const noexcept
{
    return implementation_->server();
}

admitted_database const& issue_connection::admitted() const noexcept
{
    return implementation_->admitted();
}

void issue_connection::send(batch_to_issue batch)
{
    implementation_->send(std::move(batch));
}

void issue_connection::probe()
{
    implementation_->probe();
}

// A batch on its way through the connection.

void issue_connection::implementation::send(batch_to_issue batch)
{
    ensure(connected(), "a batch is sent on a connection that stands");
    ensure(!batch.requests.empty(), "a batch has requests");
    auto& sent = sent_.emplace_back();
    sent.batch = std::move(batch);
    sent.batch.counter_oid = connection_.admitted.counter_oid;
    sent.locks = sent.batch.manners == courtesy::lock;
    sent.now = sent.locks ? stage::locking : stage::at_work;
    if (send_batch(*pipeline_, sent.batch, parameters_))
        return flush();
    lose_later("a batch could not be sent: " + pipeline_->trouble());
}

void issue_connection::implementation::probe()
{
    if (!connected())
        return;  // lost after the probe was decided on
    sent_.emplace_back().now = stage::probing;
    if (pipeline_->probe())
        return flush();
    lose_later("the database could not be asked: " + pipeline_->trouble());
}

/// Not called from inside send(): the sender is in the middle of its own work.
void issue_connection::implementation::lose_later(std::string why)
{
    asio::post(io_, [self = shared_from_this(), why = std::move(why)] {
        if (self->connected())
            self->lose(why);
    });
}

void issue_connection::implementation::flush()
{
    if (!pipeline_->flush() && !writing_)
        wait_writable();
}

void issue_connection::implementation::wait_writable()
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

void issue_connection::implementation::wait_readable()
{
    socket_->async_wait(
        asio::posix::stream_descriptor::wait_read,
        [self = shared_from_this()](error_code error) { self->on_readable(error); }
    );
}

void issue_connection::implementation::on_readable(error_code error)
{
    if (error || !connected())
        return;
    // Whatever arrived before the connection broke still counts.
    auto const alive = pipeline_->receive();
    drain();
    if (!connected())
        return;
    if (alive)
        wait_readable();
    else
        lose(pipeline_->trouble());
}

void issue_connection::implementation::drain()
{
    while (connected())
    {
        auto result = pipeline_->next_result();
        if (!result)
            return;
        take(std::move(result));
    }
}

void issue_connection::implementation::take(result_pointer result)
{
    auto const status = PQresultStatus(result.get());
    if (sent_.empty())
        return lose(pipeline_->trouble());

    // The result belongs to the oldest batch whose last Sync has not arrived.
    auto& sent = sent_.front();
    if (status != PGRES_PIPELINE_SYNC)
    {
        // An error after the rows: the COMMIT failed.
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

void issue_connection::implementation::end_batch(sent_batch& sent)
{
    ensure(sent.end.fate != batch_fate{}, "a Sync follows the result of its batch");
    if (!warning_.empty() && sent.end.fate == batch_fate::done)
        // A cancelled wait for the synchronous standby gives a warning, then success. Nobody knows
        // what the standby has, so the batch ends as unknown with its connection.
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
