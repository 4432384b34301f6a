#include "service/queue_core.hpp"

#include <algorithm>

/// What happens to requests whose time is over, to lanes that take too long, and to series that
/// stay locked.
namespace gapless {

namespace {

// Locks that honest transactions hold for a moment are nobody's business.
constexpr std::chrono::milliseconds locked_for_a_moment{100};

// The blocker may have been followed by another one.
constexpr std::chrono::seconds asks_again_after{1};

// Nobody wants anything of a locked series any more: whether it is free nobody knows.
constexpr std::chrono::seconds forgotten_after{60};

}  // namespace

refusal queue_core::late(queue_entry const& waiting)
{
    if (waiting.uncertain)
        return {
            refusal_kind::outcome_unknown,
            "the connection to the database was lost while the numbers were being issued; repeat "
            "with the same key"};
    if (!stands(lane_kind::quick) && !stands(lane_kind::patient))
        return {refusal_kind::database_unavailable, "no database to issue from: " + trouble_};
    auto const& line = lines_[waiting.request.series_id];
    if (line.locked_since)
        return {
            refusal_kind::overloaded,
            "another transaction has locked the series" +
                (line.blocker.empty() ? std::string{} : " (" + line.blocker + ")") +
                "; end it, or repeat with the same key"};
    return {
        refusal_kind::overloaded,
        "the request waited too long for its turn; repeat with the same key"};
}

void queue_core::sweep(time now, queue_actions& actions)
{
    now_ = now;
    end_waiting(now, actions);
    for (auto const lane : both_lanes)
        for (auto& sent : of(lane).flights)
            end_under_way(sent, now, actions);
    find_stuck(now, actions);
    find_locked(now, actions);
}

/// A lane whose oldest batch takes too long. With it goes the other lane, unless its server was
/// heard of late: where a host has vanished, two that connect anew at once are back sooner than one
/// after the other.
void queue_core::find_stuck(time now, queue_actions& actions)
{
    auto const waits = [&](lane_kind lane) {
        auto const& flights = of(lane).flights;
        return flights.empty() ? queue_clock::duration{} : now - flights.front().sent;
    };
    for (auto const lane : both_lanes)
    {
        auto const other = lane == lane_kind::quick ? lane_kind::patient : lane_kind::quick;
        auto const mute = of(lane).stands && now - of(lane).heard >= limits_.issue_time_max / 4;
        if (waits(lane) >= limits_.issue_time_max ||
            (waits(other) >= limits_.issue_time_max && mute))
            actions.stuck.push_back(lane);
    }
}

void queue_core::end_waiting(time now, queue_actions& actions)
{
    // At a start clients may have waited for this very program: they wait for its connection, too.
    auto const hopeful = begins_ || stands(lane_kind::quick) || stands(lane_kind::patient);
    auto late_ones = lines_.take_if([&](queue_entry const& waiting, series_line const&) {
        auto const patience =
            hopeful || waiting.uncertain ? limits_.issue_time_max : limits_.unavailable_time_max;
        return now - waiting.arrived >= patience;
    });
    for (auto& late_one : late_ones)
        refuse(*late_one, late(*late_one), now, actions);
}

void queue_core::end_under_way(flight& sent, time now, queue_actions& actions)
{
    // What left a moment ago may be back at once, as from a locked series: then it is certain that
    // nothing happened.
    if (now - sent.sent < limits_.issue_time_max / 40)
        return;
    for (auto& slow : sent.entries)
        if (now - slow->arrived >= limits_.issue_time_max)
            refuse(
                *slow,
                {refusal_kind::outcome_unknown,
                 "the database did not answer in time; repeat with the same key"},
                now,
                actions
            );
}

void queue_core::find_locked(time now, queue_actions& actions)
{
    locked_.clear();
    lines_.for_each([&](std::int32_t series_id, series_line& line) {
        if (!line.locked_since || now - *line.locked_since < locked_for_a_moment)
            return;
        if (now - line.locked_at >= forgotten_after)
            return note_free(series_id, actions);
        locked_.push_back(series_id);
        if (now < line.ask_blocker_at)
            return;
        line.ask_blocker_at = now + asks_again_after;
        actions.locked.push_back(series_id);
    });
}

void queue_core::note_blocker(std::int32_t series_id, std::string blocker)
{
    auto& line = lines_[series_id];
    if (line.locked_since)
        line.blocker = std::move(blocker);
}

void queue_core::refuse_all(refusal const& why, time now, queue_actions& actions)
{
    auto refused = lines_.take_if([](queue_entry const& waiting, series_line const&) {
        return !waiting.uncertain;
    });
    for (auto& entry : refused)
        refuse(*entry, why, now, actions);
}

queue_entries queue_core::take_waiting(std::int32_t series_id)
{
    return lines_.take_if([series_id](queue_entry const& waiting, series_line const&) {
        return waiting.request.series_id == series_id && !waiting.uncertain && !waiting.special();
    });
}

bool queue_core::answers(time now, queue_clock::duration patience) const noexcept
{
    auto busy = false;
    auto stands = false;
    for (auto const& way : lanes_)
    {
        if (!way.stands)
            continue;
        stands = true;
        if (way.flights.empty())
            continue;
        busy = true;
        if (now - std::max(way.heard, way.flights.front().sent) < patience)
            return true;
    }
    return stands && !busy;
}

void queue_core::stop(time now, queue_actions& actions)
{
    stopped_ = true;
    auto all = lines_.take_if([](queue_entry const&, series_line const&) { return true; });
    for (auto& entry : all)
        refuse(*entry, late(*entry), now, actions);
}

}  // namespace gapless
