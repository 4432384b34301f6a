#include "base/contract.hpp"
#include "base/failpoint.hpp"
#include "service/issue_queue.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <ranges>

/// How waiting requests become batches.
namespace gapless {

namespace asio = boost::asio;

namespace {

// About what a request costs on its way from an answer through the client back to this queue, and
// about what its row costs PostgreSQL. Exact figures do not matter: a COMMIT takes as long as tens
// of requests on a fast disk, and as hundreds on a slow one.
constexpr std::chrono::microseconds way_back_of_one{18};
constexpr std::chrono::microseconds way_back_of_first{60};
constexpr std::chrono::microseconds row_time{8};

}  // namespace

void issue_queue::schedule_pump()
{
    // Posted, so that every request read in this round of the event loop joins the batch.
    if (std::exchange(pump_scheduled_, true))
        return;
    asio::post(io_, [this] {
        pump_scheduled_ = false;
        pump();
    });
}

void issue_queue::pump()
{
    while (lane_.connected() && waiting_ > 0 && flights_.size() < limits_.batches_in_flight_max &&
           waiting_ >= std::max(gather_, under_way_) && clock::now() >= paused_until_)
        send_next();
}

/// Two halves of the clients in turn, one on its way while the other is issued, pay for two COMMITs
/// where all of them in one batch pay for one. They are worth gathering when they are back sooner
/// than a COMMIT takes. Who does not come in that time is not waited for the next time.
void issue_queue::expect_back(flight const& answered)
{
    auto const callers = answered.entries.size() + waiting_ + under_way_;
    crowd_ = std::max(callers, crowd_ - crowd_ / 16);
    auto const way_back = way_back_of_first + way_back_of_one * crowd_;
    auto const commit_time = batch_time_ - row_time * answered.entries.size();
    auto const wanted = std::min(callers - callers / 10, limits_.batch_requests_max);
    gather_ = callers > 1 && commit_time > way_back && wanted > waiting_ ? wanted : 0;
    gather_timer_.cancel();
    if (gather_ == 0 || !flights_.empty())  // the end of that one looks again
        return;
    gather_timer_.expires_after(std::max<clock::duration>(way_back, commit_time / 4));
    gather_timer_.async_wait([this](boost::system::error_code error) {
        if (error)
            return;
        gather_ = 0;
        schedule_pump();
    });
}

bool issue_queue::leaves_alone(series_line const& line) const
{
    // Only of those that can leave now: thousands may wait behind them.
    auto const next =
        std::views::take(line.entries, static_cast<std::ptrdiff_t>(limits_.batch_requests_max));
    return line.look_ups > 0 || lane_.contested() ||
           std::ranges::any_of(next, [](auto const& waiting) {
               return waiting->look_up || waiting->alone || waiting->request.hold_seconds;
           });
}

void issue_queue::note_replays(flight const& done, bool replayed)
{
    // Keys that come again come in waves; as long as they do, looking them up first saves the
    // failed attempt, which costs more than the look-up. By chance a batch has none of them, so a
    // wave ends with the third; but lone requests of a quiet series share batches at once again.
    constexpr int batches_without{3};
    if (!done.look_up)
        return;
    auto& left = lines_[done.entries.front()->request.series_id].look_ups;
    if (replayed)
        left = done.entries.size() > 1 ? batches_without : 1;
    else
        left = std::max(left - 1, 0);
}

void issue_queue::take_turn(flight& leaving)
{
    auto const series_id = turns_.front();
    turns_.pop_front();
    auto& line = lines_[series_id];
    leaving.look_up = leaving.look_up || line.look_ups > 0;
    while (!line.entries.empty() && leaving.entries.size() < limits_.batch_requests_max)
    {
        leaving.entries.push_back(std::move(line.entries.front()));
        line.entries.pop_front();
        leaving.look_up = leaving.look_up || leaving.entries.back()->look_up;
    }
    line.scheduled = !line.entries.empty();
    if (line.scheduled)
        turns_.push_back(series_id);
}

void issue_queue::send_next()
{
    ensure(!turns_.empty(), "a series with waiting requests has its turn");
    auto& sent = flights_.emplace_back();
    sent.id = next_id_++;
    sent.sent = clock::now();
    for (auto shared = true;
         shared && !turns_.empty() && sent.entries.size() < limits_.batch_requests_max;)
    {
        auto const alone = leaves_alone(lines_[turns_.front()]);
        if (alone && !sent.entries.empty())
            break;
        shared = !alone;
        take_turn(sent);
    }
    if (sent.entries.empty())  // they ended at their deadlines
        return flights_.pop_back();

    auto const series_id = sent.entries.front()->request.series_id;
    sent.several = sent.entries.back()->request.series_id != series_id;
    lane_batch batch{sent.id, sent.several ? 0 : series_id, sent.look_up, {}};
    for (auto const& leaving : sent.entries)
        batch.requests.push_back(&leaving->request);
    waiting_ -= sent.entries.size();
    under_way_ += sent.entries.size();

    ++counters_.batches;
    counters_.requests += sent.entries.size();
    counters_.looked_up_batches += sent.look_up ? 1 : 0;
    pass_failpoint("P4");
    lane_.send(std::move(batch));
}

}  // namespace gapless
