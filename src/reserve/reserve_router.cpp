#include "reserve/reserve_router.hpp"

#include "base/contract.hpp"
#include "base/log.hpp"
#include "reserve/failing_step.hpp"

#include <boost/asio/post.hpp>

#include <ctime>
#include <utility>

namespace gapless {

namespace asio = boost::asio;

namespace {

std::chrono::nanoseconds read_clock(clockid_t clock) noexcept
{
    timespec now{};
    ::clock_gettime(clock, &now);
    return std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec};
}

}  // namespace

reserve_time reserve_now() noexcept
{
    return {.boot = read_clock(CLOCK_BOOTTIME), .real = read_clock(CLOCK_REALTIME)};
}

/// Represents a client in the queue: its key is in doubt while the database has the request.
class reserve_router::tracked_request : public issue_listener
{
public:
    tracked_request(
        reserve_router& router, issue_request const& asked, std::unique_ptr<issue_listener> inner
    )
        : router_{router},
          asked_{asked},
          inner_{std::move(inner)}
    {
        router_.core_.begin_doubt(asked_);
    }

    void ended(result<issuance> outcome) override
    {
        router_.note_ended(asked_, outcome);
        inner_->ended(std::move(outcome));
    }

    /// Takes the listener back; the database never had the request.
    std::unique_ptr<issue_listener> withdraw()
    {
        router_.core_.end_doubt(asked_, refusal{refusal_kind::database_unavailable, {}});
        return std::move(inner_);
    }

private:
    reserve_router& router_;
    issue_request asked_;
    std::unique_ptr<issue_listener> inner_;
};

void reserve_router::use(std::shared_ptr<journal_writer> writer)
{
    writer_ = std::move(writer);
    last_record_ = 0;
}

journal_writer::flushed reserve_router::flushed_callback()
{
    return [this](std::uint64_t upto, std::string const& failure) {
        asio::post(io_, [this, upto, failure] { or_stop([&] { on_flushed(upto, failure); }); });
    };
}

bool reserve_router::is_cut(std::int32_t series_id) const
{
    if (queue_.fenced_last())
        return false;
    return practising_.contains(series_id) || !queue_.answers();
}

bool reserve_router::serves(std::int32_t series_id) const
{
    return writer_ && !queue_.fenced_last() && core_.rest(series_id) > 0 &&
           !core_.obstacle(series_id, reserve_now());
}

void reserve_router::issue(issue_request request, std::unique_ptr<issue_listener> listener)
{
    or_stop([&] {
        if (!earlier_.empty() && earlier_.contains({request.owner_id, request.key}))
            return tell_later(
                std::move(listener),
                refusal{
                    refusal_kind::outcome_unknown,
                    "numbers were issued under this key while the database was away, and are not "
                    "recorded yet; repeat with the same key"}
            );
        if (!remembers_)
            return queue_.submit(std::move(request), std::move(listener));
        if (writer_ && core_.lease_of(request.series_id) != nullptr && is_cut(request.series_id) &&
            draw(request, listener))
            return;
        ask_database(std::move(request), std::move(listener));
    });
}

void reserve_router::ask_database(
    issue_request request, std::unique_ptr<issue_listener> listener, queue_clock::time_point arrived
)
{
    // Answers not yet settled are repeated from memory: the database would issue anew.
    if (!core_.unsettled().empty())
        if (auto known = core_.find_drawn(request))
            return tell_later(std::move(listener), std::move(*known));
    auto tracked = std::make_unique<tracked_request>(*this, request, std::move(listener));
    queue_.submit(std::move(request), std::move(tracked), arrived);
}

/// Returns false if only the database can answer; then the listener is untouched.
bool reserve_router::draw(issue_request const& request, std::unique_ptr<issue_listener>& listener)
{
    auto found = core_.draw(request, reserve_now());
    if (auto* drawn = std::get_if<drawn_answer>(&found))
    {
        last_record_ = writer_->append(encode(drawn->note, drawn->sequence));
        pass_step("answer_drawn");
        outages_[request.series_id].owners.insert(request.owner_id);
        waiting_.push_back(
            {last_record_,
             drawn->sequence,
             std::move(listener),
             std::move(drawn->answer),
             queue_clock::now()}
        );
        return true;
    }
    if (auto* repeated = std::get_if<issuance>(&found))
    {
        tell_later(std::move(listener), std::move(*repeated));
        return true;
    }
    auto& why = std::get<refusal>(found);
    if (why.kind == refusal_kind::database_unavailable)
        return false;
    tell_later(std::move(listener), std::move(why));
    return true;
}

void reserve_router::tell_later(std::unique_ptr<issue_listener> listener, result<issuance> outcome)
{
    asio::post(io_, [listener = std::move(listener), outcome = std::move(outcome)]() mutable {
        listener->ended(std::move(outcome));
    });
}

void reserve_router::on_flushed(std::uint64_t upto, std::string const& failure)
{
    pass_step("answer_flushed");
    while (!waiting_.empty() && waiting_.front().record <= upto)
    {
        auto ready = std::move(waiting_.front());
        waiting_.pop_front();
        core_.flushed(ready.sequence);
        if (!ready.listener)
            continue;
        ++answers_;
        ready.listener->ended(std::move(ready.answer));
    }
    if (failure.empty())
        return;
    // Drawing stops. Everything drawn is settled as usual.
    core_.note_journal(failure);
    log_event(log_level::error, "reserve_journal_failed", {{"why", failure}});
    for (auto& left : std::exchange(waiting_, {}))
        tell_unknown(left, "the journal of the reserve could not be written");
}

void reserve_router::give_up_before(queue_clock::time_point moment)
{
    // By place: who is told may draw at once, for the next request of its connection.
    for (std::size_t place = 0; place < waiting_.size(); ++place)
        if (waiting_[place].drawn < moment)
            tell_unknown(waiting_[place], "the journal of the reserve was not written in time");
}

void reserve_router::tell_unknown(waiting_answer& left, std::string why)
{
    auto const listener = std::move(left.listener);
    if (!listener)
        return;
    ++outages_[left.answer.series_id].in_doubt;
    listener->ended(refusal{
        refusal_kind::outcome_unknown,
        std::move(why) + "; repeat with the same key when the database is back"});
}

void reserve_router::note_ended(issue_request const& asked, result<issuance> const& outcome)
{
    core_.end_doubt(asked, outcome);
    if (outcome.has_error() && outcome.error().kind == refusal_kind::outcome_unknown)
        ++outages_[asked.series_id].in_doubt;
}

void reserve_router::take_waiting()
{
    if (!writer_)
        return;
    for (auto const series_id : core_.series())
    {
        if (!is_cut(series_id) || !serves(series_id))
            continue;
        for (auto& entry : queue_.take_waiting(series_id))
        {
            // Every request in the queue came through ask_database().
            auto* const tracked = dynamic_cast<tracked_request*>(entry->listener.get());
            ensure(tracked != nullptr, "with a journal, what waits in the queue is tracked");
            auto listener = tracked->withdraw();
            if (!draw(entry->request, listener))
                ask_database(std::move(entry->request), std::move(listener), entry->arrived);
        }
    }
}

}  // namespace gapless
