#include "base/contract.hpp"
#include "service/queue_core.hpp"

#include <algorithm>

/// What becomes of a batch that ended, and of its requests.
namespace gapless {

namespace {

// How long series that another instance issues from, too, are locked around each batch. Instances
// that share a series meet once in this time; one that is alone does without two statements.
constexpr std::chrono::seconds sharing_lasts{10};

// How long that lock is done without after somebody did not give it back.
constexpr std::chrono::seconds no_courtesy_lasts{60};

// What waits for something else than a row costs its lane that time. The series keeps away long
// enough for others to have most of it.
constexpr int pause_per_wait = 4;
constexpr std::chrono::seconds pause_max{1};

/// The series of a batch, whose requests stand side by side.
std::vector<std::int32_t> series_of(queue_entries const& entries)
{
    std::vector<std::int32_t> series;
    for (auto const& entry : entries)
        if (series.empty() || series.back() != entry->request.series_id)
            series.push_back(entry->request.series_id);
    return series;
}

}  // namespace

queue_core::flight queue_core::take_flight(std::uint64_t id, lane_kind& lane)
{
    for (auto const kind : both_lanes)
    {
        auto& way = of(kind);
        auto const found = std::ranges::find(way.flights, id, &flight::id);
        if (found == way.flights.end())
            continue;
        lane = kind;
        auto taken = std::move(*found);
        way.flights.erase(found);
        way.under_way -= taken.entries.size();
        way.pace.stop_gathering();
        for (auto const series_id : series_of(taken.entries))
            --lines_[series_id].batches;
        return taken;
    }
    ensure(false, "a batch that ended was under way");
    return {};
}

void queue_core::end_batch(batch_end end, time now, queue_actions& actions)
{
    now_ = now;
    lane_kind lane{};
    auto ended = take_flight(end.id, lane);
    of(lane).heard = now;
    auto const series = series_of(ended.entries);
    if (end.lock_timed_out)
        lines_[series.front()].no_courtesy_until = now + no_courtesy_lasts;
    switch (end.fate)
    {
    case batch_fate::done: on_done(lane, std::move(ended), std::move(end), now, actions); break;
    case batch_fate::not_plain: on_not_plain(std::move(ended)); break;
    case batch_fate::conflict: on_conflict(std::move(ended), end.contested, now, actions); break;
    case batch_fate::locked: on_locked(std::move(ended), now); break;
    case batch_fate::failed: on_failed(std::move(ended), end.why, now, actions); break;
    case batch_fate::unknown: on_unknown(std::move(ended)); break;
    }
    schedule_all(series, now);
    pump(now, actions);
}

void queue_core::on_done(
    lane_kind lane, flight done, batch_end end, time now, queue_actions& actions
)
{
    ensure(end.answers.size() == done.entries.size(), "every request of a batch has an answer");
    auto& way = of(lane);
    note_replays(done, end.replayed);
    way.pace.note_done(done.sent, now);
    if (!end.left_out.empty())
        put_back_left_out(done, end);
    for (auto const series_id : series_of(done.entries))
        note_free(series_id, actions);
    way.pace.expect_back(
        {.answered = done.entries.size(),
         .waiting = lines_.waiting(lane),
         .under_way = way.under_way,
         .batch_max = limits_.batch_requests_max},
        now
    );
    auto& answered = actions.answers.emplace_back();
    answered.entries = std::move(done.entries);
    answered.answers = std::move(end.answers);
    count_answers(answered, now);
}

void queue_core::count_answers(queue_actions::answered_batch const& answered, time now)
{
    for (std::size_t n = 0; n < answered.answers.size(); ++n)
    {
        auto const& answer = answered.answers[n];
        if (answer.has_value() && answer->replayed)
            ++counters_.replays;
        else if (answer.has_value())
            counters_.numbers += static_cast<std::uint64_t>(answer->count());
        if (answered.entries[n]->listener)
            counters_.durations.add(now - answered.entries[n]->arrived);
    }
}

/// Series that were left out of a batch of several, because they are locked or not plain, go alone.
void queue_core::put_back_left_out(flight& done, batch_end& end)
{
    flight back;
    queue_entries served;
    std::vector<result<issuance>> answers;
    for (std::size_t n = 0; n < done.entries.size(); ++n)
    {
        auto const series_id = done.entries[n]->request.series_id;
        if (std::ranges::find(end.left_out, series_id) != end.left_out.end())
        {
            done.entries[n]->alone = true;
            done.entries[n]->look_up = true;
            back.entries.push_back(std::move(done.entries[n]));
        }
        else
        {
            served.push_back(std::move(done.entries[n]));
            answers.push_back(std::move(end.answers[n]));
        }
    }
    done.entries = std::move(served);
    end.answers = std::move(answers);
    put_back(back);
}

void queue_core::on_not_plain(flight back)
{
    for (auto& special : back.entries)
    {
        special->alone = special->alone || back.several;
        special->look_up = special->look_up || !back.several;
    }
    put_back(back);
}

/// Nobody knows which series of a batch it was: each goes alone.
void queue_core::on_conflict(flight back, bool contested, time now, queue_actions& actions)
{
    ++counters_.conflicts;
    int most = 0;
    for (auto& tried : back.entries)
    {
        most = std::max(most, ++tried->conflicts);
        tried->alone = tried->alone || back.several;
        if (tried->conflicts >= limits_.conflicts_max && !tried->uncertain)
            refuse(
                *tried,
                {refusal_kind::database_unavailable,
                 "the transaction was in conflict " + std::to_string(tried->conflicts) +
                     " times; try again with the same key"},
                now,
                actions
            );
    }
    auto const series = series_of(back.entries);
    put_back(back);
    if (contested)
        lines_[series.front()].shared_until = now + sharing_lasts;
    else
        for (auto const series_id : series)
        {
            auto const ceiling = std::chrono::microseconds{500 * (1 << std::min(most, 6))};
            lines_.rest(
                series_id,
                now + std::chrono::duration_cast<queue_clock::duration>(ceiling * dice_())
            );
        }
}

void queue_core::on_locked(flight back, time now)
{
    auto const series = series_of(back.entries);
    auto const took = now - back.sent;
    for (auto& entry : back.entries)
        entry->alone = entry->alone || back.several;
    put_back(back);
    for (auto const series_id : series)
    {
        auto& line = lines_[series_id];
        line.locked_at = now;
        if (!line.locked_since)
            line.locked_since = now;
        if (line.now == series_line::state::resting)
            continue;  // the batch behind it met the same lock
        line.pause = std::clamp<queue_clock::duration>(
            line.pause * 2, limits_.locked.first, limits_.locked.most
        );
        auto const pause = std::max<queue_clock::duration>(
            line.pause, std::min<queue_clock::duration>(took * pause_per_wait, pause_max)
        );
        lines_.rest(
            series_id,
            now + std::chrono::duration_cast<queue_clock::duration>(pause * (1 + dice_()) / 2)
        );
    }
}

void queue_core::on_failed(flight back, refusal const& why, time now, queue_actions& actions)
{
    for (auto& failed : back.entries)
    {
        if (back.several)
            failed->alone = true;
        else
            refuse(*failed, failed->uncertain ? late(*failed) : why, now, actions);
    }
    put_back(back);
}

void queue_core::on_unknown(flight back)
{
    ++counters_.unknown_batches;
    for (auto& uncertain : back.entries)
    {
        uncertain->look_up = true;
        uncertain->uncertain = true;
    }
    put_back(back);
}

/// To where they came from in their lines.
void queue_core::put_back(flight& back)
{
    for (auto& returning : back.entries)
        if (returning->listener)
            lines_.add(std::move(returning));
}

void queue_core::schedule_all(std::vector<std::int32_t> const& series, time now)
{
    for (auto const series_id : series)
        schedule(series_id, now);
}

void queue_core::note_replays(flight const& done, bool replayed)
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

void queue_core::note_free(std::int32_t series_id, queue_actions& actions)
{
    auto& line = lines_[series_id];
    line.pause = {};
    if (!line.locked_since)
        return;
    if (line.ask_blocker_at != time{})
        actions.free_again.push_back(series_id);
    line.locked_since.reset();
    line.ask_blocker_at = {};
    line.blocker.clear();
}

void queue_core::refuse(queue_entry& entry, refusal why, time now, queue_actions& actions)
{
    if (!entry.listener)
        return;
    counters_.answered_unknown += why.kind == refusal_kind::outcome_unknown ? 1 : 0;
    counters_.durations.add(now - entry.arrived);
    actions.refusals.push_back({std::exchange(entry.listener, nullptr), std::move(why)});
}

}  // namespace gapless
