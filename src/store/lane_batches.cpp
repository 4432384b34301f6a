#include "base/contract.hpp"
#include "store/lane_implementation.hpp"

#include <boost/asio/post.hpp>

/// The way of a batch through the connection.
namespace gapless {

void lane::implementation::send(lane_batch batch)
{
    ensure(connected(), "a batch is sent on a connection that stands");
    ensure(!batch.requests.empty(), "a batch has requests");
    auto& sent = sent_.emplace_back();
    sent.batch = std::move(batch);
    sent.locks = sent.batch.manners == courtesy::lock;
    sent.now = sent.locks ? stage::locking : stage::at_work;
    if (send_batch(*wire_, sent.batch, parameters_))
        return flush();
    // Not from inside send(): the sender is in the middle of its own work.
    asio::post(
        io_,
        [self = shared_from_this(), why = "a batch could not be sent: " + wire_->trouble()] {
            if (self->connected())
                self->lose(why);
        }
    );
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
