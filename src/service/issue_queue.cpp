#include "service/issue_queue.hpp"

#include "base/contract.hpp"

#include <boost/asio/post.hpp>

#include <random>
#include <utility>

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds sweep_interval{50};

double roll_dice()
{
    static thread_local std::minstd_rand dice{std::random_device{}()};
    return std::uniform_real_distribution<double>{0, 1}(dice);
}

}  // namespace

issue_queue::issue_queue(
    asio::io_context& io,
    lane_settings const& settings,
    queue_limits limits,
    queue_watchers watchers
)
    : io_{io},
      watchers_{std::move(watchers)},
      core_{limits, counters_, roll_dice},
      sweep_timer_{io},
      due_timer_{io}
{
    for (auto const kind : both_lanes)
    {
        of(kind).kind = kind;
        of(kind).way = make_lane(kind, settings);
    }
}

issue_queue::~issue_queue()
{
    stopped_ = true;
    for (auto& one : sides_)
        one.way->stop();
}

std::unique_ptr<lane> issue_queue::make_lane(lane_kind kind, lane_settings const& settings)
{
    // What goes wrong in here is nobody's request.
    lane_events events{
        .admit = [this, kind](std::string const& server
                 ) { return or_stop([&] { return admit(kind, server); }); },
        .ended = [this, kind](batch_end end) { or_stop([&] { on_ended(kind, std::move(end)); }); },
        .connected = [this, kind] { or_stop([&] { on_connected(kind); }); },
        .lost = [this, kind](std::string why) { or_stop([&] { on_lost(kind, std::move(why)); }); },
        .fenced = [this,
                   kind](std::string why) { or_stop([&] { on_fenced(kind, std::move(why)); }); }};
    return std::make_unique<lane>(io_, settings, std::move(events));
}

void issue_queue::start()
{
    for (auto& one : sides_)
        one.way->start();
    sweep();
}

void issue_queue::stop()
{
    stopped_ = true;
    sweep_timer_.cancel();
    due_timer_.cancel();
    for (auto& one : sides_)
        one.way->stop();
    queue_actions actions;
    core_.stop(queue_clock::now(), actions);
    run(std::move(actions));
}

void issue_queue::submit(
    issue_request request, std::unique_ptr<issue_listener> listener, queue_clock::time_point arrived
)
{
    or_stop([&] {
        ensure(listener != nullptr, "somebody waits for each request");
        if (fenced())
            return refuse_later(std::move(listener), fence());
        auto entry = std::make_unique<queue_entry>();
        entry->request = std::move(request);
        entry->listener = std::move(listener);
        entry->arrived = arrived;
        if (auto refused = core_.arrive(entry))
            refuse_later(std::move(entry->listener), std::move(*refused));
        else
            schedule_pump();
    });
}

void issue_queue::refuse_later(std::unique_ptr<issue_listener> listener, refusal why)
{
    asio::post(io_, [listener = std::move(listener), why = std::move(why)]() mutable {
        listener->ended(std::move(why));
    });
}

void issue_queue::schedule_pump()
{
    // Posted, so that every request read in this round of the event loop joins the batch.
    if (std::exchange(pump_scheduled_, true))
        return;
    asio::post(io_, [this] {
        pump_scheduled_ = false;
        or_stop([&] { pump(); });
    });
}

void issue_queue::pump()
{
    queue_actions actions;
    core_.pump(queue_clock::now(), actions);
    run(std::move(actions));
}

void issue_queue::sweep()
{
    if (stopped_)
        return;
    queue_actions actions;
    core_.sweep(queue_clock::now(), actions);
    run(std::move(actions));
    sweep_timer_.expires_after(sweep_interval);
    sweep_timer_.async_wait([this](boost::system::error_code error) {
        if (!error)
            or_stop([&] { sweep(); });
    });
}

/// First what leaves, so that PostgreSQL works while we answer.
void issue_queue::run(queue_actions actions)
{
    for (auto& leaving : actions.sends)
        of(leaving.lane).way->send(std::move(leaving.batch));
    for (auto& answered : actions.answers)
        answer(answered);
    for (auto& refused : actions.refusals)
        refused.listener->ended(std::move(refused.why));
    for (auto const kind : actions.stuck)
        of(kind).way->drop("a batch took longer than a request may wait");
    for (auto const series_id : actions.locked)
        if (watchers_.locked)
            watchers_.locked(series_id);
    for (auto const series_id : actions.free_again)
        if (watchers_.free_again)
            watchers_.free_again(series_id);
    wait_until_due();
}

void issue_queue::answer(queue_actions::answered_batch& answered)
{
    auto const remembered = remember(answered.answers);
    for (std::size_t n = 0; n < answered.entries.size(); ++n)
    {
        auto const listener = std::move(answered.entries[n]->listener);
        if (!listener)
            continue;
        if (remembered)
        {
            listener->ended(std::move(answered.answers[n]));
            continue;
        }
        ++counters_.answered_unknown;
        listener->ended(refusal{
            refusal_kind::outcome_unknown,
            "the numbers were issued, but could not be noted outside the database; repeat with the "
            "same key"});
    }
}

void issue_queue::wait_until_due()
{
    auto const due = core_.due();
    if (!due || stopped_ || *due == due_)
        return;
    due_ = *due;
    due_timer_.expires_at(due_);
    due_timer_.async_wait([this](boost::system::error_code error) {
        if (error)
            return;
        due_ = {};
        or_stop([&] { pump(); });
    });
}

}  // namespace gapless
