#include "service/queue_core.hpp"

#include "base/contract.hpp"

#include <algorithm>
#include <ranges>

/// Who is let in, and how waiting requests become batches.
namespace gapless {

std::optional<refusal> queue_core::arrive(std::unique_ptr<queue_entry>& entry)
{
    auto const series_id = entry->request.series_id;
    now_ = entry->arrived;
    if (!takes_one_more(series_id))
    {
        ++counters_.refused_overloaded;
        return refusal{
            refusal_kind::overloaded,
            std::to_string(lines_.ahead_of(series_id)) +
                " requests are waiting; try again later with the same key"};
    }
    entry->look_up = entry->request.contiguous;
    entry->place = next_place_++;
    lines_.add(std::move(entry));
    schedule(series_id, now_);
    return std::nullopt;
}

/// Each series has its share of the queue, in requests and in time: no more of each other series
/// than wait in its own line count as ahead of it.
bool queue_core::takes_one_more(std::int32_t series_id)
{
    if (stopped_)
        return false;
    // As long as one batch takes all that wait, how long the last one took tells nothing: it may
    // have been a single request that waited for a lock.
    auto waiting = lines_.waiting();
    if (waiting < std::min(limits_.batch_requests_max, limits_.requests_max))
        return true;
    auto const lane = lane_for(lines_[series_id], now_);
    auto const& way = of(lane);
    auto const foreseen = [&](std::size_t requests) {
        auto const alone = lane == lane_kind::patient ? lines_.turns(lane) : 0;
        auto const batches = way.flights.size() + std::max<std::size_t>(alone, 1) +
                             requests / limits_.batch_requests_max;
        return way.pace.batch_time() * static_cast<std::int64_t>(batches);
    };
    if (waiting < limits_.requests_max &&
        (!way.stands || foreseen(waiting) <= limits_.queue_time_max))
        return true;
    waiting = lines_.ahead_of(series_id);
    return waiting < limits_.requests_max && (waiting < limits_.batch_requests_max || !way.stands ||
                                              foreseen(waiting) <= limits_.queue_time_max);
}

bool queue_core::wants_patience(series_line const& line, time now) const
{
    if (line.look_ups > 0 || line.locked_since || now < line.shared_until ||
        now < line.no_courtesy_until)
        return true;
    if (line.special == 0)
        return false;
    // Only of those that can leave now: thousands may wait behind them.
    auto const next =
        std::views::take(line.entries, static_cast<std::ptrdiff_t>(limits_.batch_requests_max));
    return std::ranges::any_of(next, [](auto const& waiting) { return waiting->special(); });
}

lane_kind queue_core::lane_for(series_line const& line, time now) const
{
    auto const wanted = wants_patience(line, now) ? lane_kind::patient : lane_kind::quick;
    auto const other = wanted == lane_kind::quick ? lane_kind::patient : lane_kind::quick;
    return of(wanted).stands || !of(other).stands ? wanted : other;
}

/// A series whose batches are on another lane than its next one waits for their end.
void queue_core::schedule(std::int32_t series_id, time now)
{
    auto& line = lines_[series_id];
    if (line.now != series_line::state::idle || line.entries.empty())
        return;
    auto const lane = lane_for(line, now);
    if (line.batches == 0 || line.lane == lane)
        lines_.give_turn(series_id, lane);
}

void queue_core::schedule_anew(time now)
{
    for (auto const series_id : lines_.take_all_turns())
        schedule(series_id, now);
}

void queue_core::pump(time now, queue_actions& actions)
{
    now_ = now;
    for (auto const series_id : lines_.take_rested(now))
        schedule(series_id, now);
    for (auto& way : lanes_)
        if (auto const until = way.pace.gathers_until(); until && *until <= now)
            way.pace.stop_gathering();
    // A series may turn out to belong on the lane that was looked at first.
    for (auto const lane : {lane_kind::quick, lane_kind::patient, lane_kind::quick})
        while (may_send(lane, now) && send_next(lane, now, actions))
            ;
}

bool queue_core::may_send(lane_kind lane, time now) const
{
    auto const& way = of(lane);
    auto const waiting = lines_.waiting(lane);
    return way.stands && waiting > 0 && way.flights.size() < limits_.batches_in_flight_max &&
           waiting >= std::max(way.pace.gather(now), way.under_way);
}

bool queue_core::send_next(lane_kind lane, time now, queue_actions& actions)
{
    auto& way = of(lane);
    auto& sent = way.flights.emplace_back();
    fill(sent, lane, now);
    if (sent.entries.empty())
    {
        way.flights.pop_back();
        return lines_.turns(lane) > 0;
    }
    sent.id = next_id_++;
    sent.sent = now;
    sent.several =
        sent.entries.front()->request.series_id != sent.entries.back()->request.series_id;
    way.took_whole = !sent.several && sent.entries.size() >= limits_.batch_requests_max;
    way.under_way += sent.entries.size();

    ++counters_.batches;
    counters_.requests += sent.entries.size();
    counters_.looked_up_batches += sent.look_up ? 1 : 0;
    actions.sends.push_back({lane, to_batch(sent, now)});
    return true;
}

/// Takes series whose turn it is into a batch, in the order of their turns. One that is for the
/// patient lane leaves in a batch of its own. After a full batch of one series those with less
/// waiting have their turn, so that they wait for one such batch at most.
void queue_core::fill(flight& leaving, lane_kind lane, time now)
{
    auto const most = limits_.batch_requests_max;
    for (auto shared = true; shared && leaving.entries.size() < most;)
    {
        auto const smaller = of(lane).took_whole ? std::optional{most} : std::nullopt;
        auto const next = lines_.take_turn(lane, smaller);
        if (!next)
            return;
        auto& line = lines_[*next];
        auto const patient = wants_patience(line, now);
        auto const elsewhere =
            lane_for(line, now) != lane || (line.batches > 0 && line.lane != lane);
        if (elsewhere || (patient && !leaving.entries.empty()))
        {
            schedule(*next, now);  // where it belongs, or behind the others
            if (elsewhere)
                continue;
            return;
        }
        shared = !patient;
        leaving.look_up = line.look_ups > 0;
        auto const first = leaving.entries.size();
        lines_.take(*next, most - first, leaving.entries);
        for (auto n = first; n < leaving.entries.size(); ++n)
            leaving.look_up = leaving.look_up || leaving.entries[n]->look_up;
        line.lane = lane;
        line.batches += leaving.entries.size() > first ? 1U : 0U;
        schedule(*next, now);
    }
}

lane_batch queue_core::to_batch(flight const& leaving, time now)
{
    auto const series_id = leaving.entries.front()->request.series_id;
    auto const& line = lines_[series_id];
    lane_batch batch{.id = leaving.id, .look_up = leaving.look_up};
    if (!leaving.several)
        batch.series_id = series_id;
    if (now < line.no_courtesy_until)
        batch.manners = courtesy::none;
    else if (now < line.shared_until)
        batch.manners = courtesy::lock;
    for (auto const& entry : leaving.entries)
        batch.requests.push_back(&entry->request);
    return batch;
}

void queue_core::connect(lane_kind lane)
{
    begins_ = false;
    of(lane).stands = true;
    of(lane).heard = now_;
    schedule_anew(now_);
}

void queue_core::lose(lane_kind lane, std::string why)
{
    begins_ = false;
    of(lane).stands = false;
    trouble_ = std::move(why);
    schedule_anew(now_);
}

std::optional<queue_core::time> queue_core::due() const
{
    auto earliest = lines_.next_rested();
    for (auto const& way : lanes_)
        if (auto const until = way.pace.gathers_until(); until && (!earliest || *until < *earliest))
            earliest = until;
    return earliest;
}

}  // namespace gapless
