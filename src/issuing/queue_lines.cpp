#include "issuing/queue_lines.hpp"

#include "base/contract.hpp"

#include <algorithm>

namespace gapless {

void queue_lines::add(std::unique_ptr<queue_entry> entry)
{
    auto& line = lines_[entry->request.series_id];
    ++waiting_;
    waiting_on_[index(line.connection)] += line.now == series_line::state::queued ? 1U : 0U;
    line.special += entry->special() ? 1U : 0U;
    if (line.entries.empty() || line.entries.back()->place < entry->place)
    {
        line.entries.push_back(std::move(entry));
        return;
    }
    auto const place_of = [](auto const& waiting) { return waiting->place; };
    auto const behind = std::ranges::find_if(line.entries, [&](auto const& waiting) {
        return place_of(waiting) > entry->place;
    });
    line.entries.insert(behind, std::move(entry));
}

void queue_lines::enqueue(std::int32_t series_id, connection_kind connection)
{
    auto& line = lines_[series_id];
    ensure(line.now == series_line::state::idle, "a series stands in one line at a time");
    ensure(
        line.batches == 0 || line.connection == connection,
        "a series is on one connection at a time"
    );
    line.now = series_line::state::queued;
    line.connection = connection;
    ready_[index(connection)].push_back(series_id);
    waiting_on_[index(connection)] += line.entries.size();
}

void queue_lines::rest(std::int32_t series_id, queue_clock::time_point until)
{
    auto& line = lines_[series_id];
    if (line.now == series_line::state::resting)
        return;
    if (line.now == series_line::state::queued)
    {
        std::erase(ready_[index(line.connection)], series_id);
        waiting_on_[index(line.connection)] -= line.entries.size();
    }
    line.now = series_line::state::resting;
    line.rests_until = until;
    resting_.emplace(until, series_id);
}

std::vector<std::int32_t> queue_lines::take_rested(queue_clock::time_point now)
{
    std::vector<std::int32_t> rested;
    for (auto next = resting_.begin(); next != resting_.end() && next->first <= now;)
    {
        rested.push_back(next->second);
        lines_[next->second].now = series_line::state::idle;
        next = resting_.erase(next);
    }
    return rested;
}

std::optional<queue_clock::time_point> queue_lines::next_rested() const
{
    return resting_.empty() ? std::nullopt : std::optional{resting_.begin()->first};
}

std::optional<std::int32_t> queue_lines::dequeue(
    connection_kind connection, std::optional<std::size_t> smaller_than
)
{
    auto& ready = ready_[index(connection)];
    if (ready.empty())
        return std::nullopt;
    auto next = ready.begin();
    if (smaller_than)
        next = std::ranges::find_if(ready, [&](auto id) {
            return lines_[id].entries.size() < *smaller_than;
        });
    if (next == ready.end())
        next = ready.begin();
    auto const series_id = *next;
    ready.erase(next);
    auto& line = lines_[series_id];
    line.now = series_line::state::idle;
    waiting_on_[index(connection)] -= line.entries.size();
    return series_id;
}

void queue_lines::take(std::int32_t series_id, std::size_t at_most, queue_entries& taken)
{
    auto& line = lines_[series_id];
    ensure(line.now == series_line::state::idle, "a series leaves the line before its requests go");
    for (auto left = at_most; left > 0 && !line.entries.empty(); --left)
    {
        auto const apart = line.entries.front()->apart;
        if (apart && left < at_most)
            return;
        left = apart ? 1 : left;
        forget(line, *line.entries.front());
        taken.push_back(std::move(line.entries.front()));
        line.entries.pop_front();
    }
}

std::vector<std::int32_t> queue_lines::dequeue_all()
{
    std::vector<std::int32_t> all;
    for (auto const connection : both_connections)
        while (auto const next = dequeue(connection, std::nullopt))
            all.push_back(*next);
    return all;
}

std::size_t queue_lines::ahead_of(std::int32_t series_id) const
{
    auto const own = lines_.find(series_id);
    auto const before = own == lines_.end() ? 0 : own->second.entries.size();
    std::size_t ahead = before;
    for (auto const& [id, line] : lines_)
        if (id != series_id)
            ahead += std::min(line.entries.size(), before + 1);
    return ahead;
}

void queue_lines::forget(series_line& line, queue_entry const& taken)
{
    --waiting_;
    waiting_on_[index(line.connection)] -= line.now == series_line::state::queued ? 1U : 0U;
    line.special -= taken.special() ? 1U : 0U;
}

std::vector<std::int32_t> series_of(queue_entries const& entries)
{
    std::vector<std::int32_t> series;
    for (auto const& entry : entries)
        if (series.empty() || series.back() != entry->request.series_id)
            series.push_back(entry->request.series_id);
    return series;
}

}  // namespace gapless
