#include "store/lane.hpp"

#include "base/contract.hpp"
#include "store/batch_protocol.hpp"
#include "store/connection.hpp"
#include "store/lane_connection.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <deque>
#include <random>
#include <unistd.h>

namespace gapless {

namespace asio = boost::asio;
using boost::system::error_code;

/// Kept alive by every handler it starts, so that a lane can be destroyed at any time.
class lane::implementation : public std::enable_shared_from_this<implementation>
{
public:
    implementation(
        asio::io_context& io,
        asio::thread_pool& connectors,
        lane_settings settings,
        lane_events events
    )
        : io_{io},
          connectors_{connectors},
          settings_{std::move(settings)},
          events_{std::move(events)},
          retry_timer_{io}
    {
    }

    void connect();
    void stop();
    void lose(std::string const& why);
    void send(lane_batch batch);

    bool connected() const noexcept { return socket_ != nullptr; }
    std::size_t in_flight() const noexcept { return sent_.size() - ended_; }

private:
    /// A batch on the wire. It is over when its unlock has been answered; its sender hears of it
    /// earlier, at its own Sync.
    struct sent_batch
    {
        lane_batch batch;
        batch_end end;
        int syncs{};  // 0: lock under way, 1: batch under way, 2: ended, unlock under way
    };

    void adopt(lane_connection connection);
    void retry_later();
    void wait_readable();
    void wait_writable();
    void on_readable(error_code error);
    void flush();
    void drain();
    void take(result_pointer result);
    void end_batch(sent_batch& sent);

    asio::io_context& io_;
    asio::thread_pool& connectors_;
    lane_settings settings_;
    lane_events events_;
    asio::steady_timer retry_timer_;
    int failures_{};
    bool stopped_{};

    lane_connection connection_;
    std::unique_ptr<asio::posix::stream_descriptor> socket_;  // none: not connected
    bool writing_{};
    std::deque<sent_batch> sent_;
    std::size_t
        ended_{};  // how many of sent_ (from the front) have ended and only wait for their unlock
    std::string warning_;  // the server's latest since the present statement began
    binary_parameters parameters_;
};

void lane::implementation::connect()
{
    if (stopped_)
        return;
    auto open = [self = shared_from_this()] {
        auto opened = std::make_shared<lane_connection>(
            open_lane_connection(self->settings_.database_url, self->settings_.connect_timeout)
        );
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
        events_.lost(connection.trouble);
        retry_later();
        return;
    }
    failures_ = 0;
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
    auto const unfinished = std::exchange(sent_, {});
    auto const ended = std::exchange(ended_, 0);
    // The youngest first: each goes back to the front of its line, so that they end up in their old
    // order.
    for (auto n = unfinished.size(); n > ended; --n)
        events_.ended({unfinished[n - 1].batch.id, batch_fate::unknown, {}, {}, false});
    events_.lost(why);
    if (!stopped_)
        retry_later();
}

void lane::implementation::send(lane_batch batch)
{
    ensure(connected(), "a batch is sent on a connection that stands");
    ensure(!batch.requests.empty(), "a batch has requests");
    auto& sent = sent_.emplace_back();
    sent.batch = std::move(batch);
    if (send_batch(connection_.handle.get(), sent.batch, parameters_))
        flush();
    else
        // Not from inside send(): the sender is in the middle of its own work.
        asio::post(
            io_,
            [self = shared_from_this(),
             why = std::string{PQerrorMessage(connection_.handle.get())}] {
                if (self->connected())
                    self->lose(why);
            }
        );
}

void lane::implementation::flush()
{
    // A failure to write shows up as a failure to read.
    if (PQflush(connection_.handle.get()) == 1 && !writing_)
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
    auto const alive = PQconsumeInput(connection_.handle.get()) != 0;
    drain();
    if (!connected())
        return;
    if (alive)
        wait_readable();
    else
        lose(to_public_text(PQerrorMessage(connection_.handle.get())));
}

void lane::implementation::drain()
{
    // A null ends the results of one statement; two in a row mean that nothing more has arrived.
    for (bool null_before = false; connected() && PQisBusy(connection_.handle.get()) == 0;)
    {
        result_pointer result{PQgetResult(connection_.handle.get())};
        if (!result)
        {
            if (null_before)
                return;
            null_before = true;
            continue;
        }
        null_before = false;
        take(std::move(result));
    }
}

void lane::implementation::take(result_pointer result)
{
    auto const status = PQresultStatus(result.get());
    if (sent_.empty())
        return lose(to_public_text(PQerrorMessage(connection_.handle.get())));

    // The oldest batch whose last Sync is still due is the one that speaks.
    auto& sent = sent_.front();
    if (status != PGRES_PIPELINE_SYNC)
    {
        if (sent.syncs == 1 && sent.end.fate == batch_fate{})
            sent.end = read_batch_result(sent.batch, result.get());
        else if (sent.syncs == 1 && status == PGRES_FATAL_ERROR)
            sent.end = read_batch_result(
                sent.batch, result.get()
            );  // the rows came, then the COMMIT failed
        return;
    }
    switch (sent.syncs++)
    {
    case 0: warning_.clear(); break;
    case 1: end_batch(sent); break;
    default:
        --ended_;
        sent_.pop_front();
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
    ++ended_;
    events_.ended(std::move(sent.end));
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

std::size_t lane::in_flight() const noexcept
{
    return implementation_->in_flight();
}

void lane::send(lane_batch batch)
{
    implementation_->send(std::move(batch));
}

}  // namespace gapless
