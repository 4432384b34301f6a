#include "issuing/queue_core.hpp"

#include "base/contract.hpp"

#include <algorithm>
#include <ranges>

namespace gapless {

using enum connection_kind;

namespace {

// How long each batch of a series that another instance also issues from is locked. Instances that
// share a series collide once in this time; a lone instance saves two statements.
constexpr std::chrono::seconds sharing_lasts{10};

// How long to do without that lock after a session did not release it in time.
constexpr std::chrono::seconds no_courtesy_lasts{60};

// A batch that waits for something other than a row blocks its connection for that time. Its series
// backs off long enough to leave most of the connection's time to others.
constexpr int pause_per_wait = 4;
constexpr std::chrono::seconds pause_max{1};

// How long an idle connection hears nothing before it probes the database.
constexpr std::chrono::seconds probe_interval{1};

// Locks that ordinary transactions hold for a moment are not worth reporting.
constexpr std::chrono::milliseconds locked_for_a_moment{100};

// Another blocker may have followed.
constexpr std::chrono::seconds asks_again_after{1};

// Answers requests that waited in vain.
constexpr std::string_view waits_for_standby{
    "the database waits for the standby, which synchronous_standby_names asks for; repeat with the "
    "same key"};

// Nobody has requested numbers of a locked series since then, so whether it is free is unknown.
constexpr std::chrono::seconds forgotten_after{60};

}  // namespace

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

/// Each series has its own share of the queue, in requests and in time: of every other series, only
/// as many requests count as ahead as wait in its own line.
bool queue_core::takes_one_more(std::int32_t series_id)
{
    if (stopped_)
        return false;
    // While one batch takes all that wait, the duration of the last one tells nothing: it may have
    // been a single request that waited for a lock.
    auto waiting = lines_.waiting();
    if (waiting < std::min(limits_.batch_requests_max, limits_.requests_max))
        return true;
    auto const connection = connection_for(lines_[series_id], now_);
    auto const& way = of(connection);
    auto const foreseen = [&](std::size_t requests) {
        auto const alone = connection == patient ? lines_.ready(connection) : 0;
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
    // Looks only at those that can be sent now: thousands may wait behind them.
    auto const next =
        std::views::take(line.entries, static_cast<std::ptrdiff_t>(limits_.batch_requests_max));
    return std::ranges::any_of(next, [](auto const& waiting) { return waiting->special(); });
}

connection_kind queue_core::connection_for(series_line const& line, time now) const
{
    auto const wanted = wants_patience(line, now) ? patient : quick;
    auto const other = wanted == quick ? patient : quick;
    return of(wanted).stands || !of(other).stands ? wanted : other;
}

/// A series whose next batch belongs on another connection waits for its batches under way to end.
void queue_core::schedule(std::int32_t series_id, time now)
{
    auto& line = lines_[series_id];
    if (line.now != series_line::state::idle || line.entries.empty())
        return;
    auto const connection = connection_for(line, now);
    if (line.batches == 0 || line.connection == connection)
        lines_.enqueue(series_id, connection);
}

void queue_core::schedule_anew(time now)
{
    for (auto const series_id : lines_.dequeue_all())
        schedule(series_id, now);
}

void queue_core::pump(time now, queue_actions& actions)
{
    now_ = now;
    for (auto const series_id : lines_.take_rested(now))
        schedule(series_id, now);
    for (auto& way : connections_)
        if (auto const until = way.pace.gathers_until(); until && *until <= now)
            way.pace.stop_gathering();
    // `quick` again: a series may turn out to belong on the connection that was looked at first.
    for (auto const connection : {quick, patient, quick})
        while (may_send(connection, now) && send_next(connection, now, actions))
            ;
}

bool queue_core::may_send(connection_kind connection, time now) const
{
    auto const& way = of(connection);
    auto const waiting = lines_.waiting(connection);
    return way.stands && waiting > 0 && way.flights.size() < limits_.batches_in_flight_max &&
           waiting >= std::max(way.pace.gather(now), way.under_way);
}

bool queue_core::send_next(connection_kind connection, time now, queue_actions& actions)
{
    auto& way = of(connection);
    auto& sent = way.flights.emplace_back();
    fill(sent, connection, now);
    if (sent.entries.empty())
    {
        way.flights.pop_back();
        return lines_.ready(connection) > 0;
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
    actions.sends.push_back({connection, to_batch(sent, now)});
    return true;
}

/// Fills a batch with series in the order of their turns. A series for the patient connection gets
/// a batch of its own. After a full batch of one series, those with fewer requests have their turn,
/// so that they wait for one such batch at most.
void queue_core::fill(flight& leaving, connection_kind connection, time now)
{
    auto const most = limits_.batch_requests_max;
    for (auto shared = true; shared && leaving.entries.size() < most;)
    {
        auto const smaller = of(connection).took_whole ? std::optional{most} : std::nullopt;
        auto const next = lines_.dequeue(connection, smaller);
        if (!next)
            return;
        auto& line = lines_[*next];
        auto const patient = wants_patience(line, now);
        auto const elsewhere = connection_for(line, now) != connection ||
                               (line.batches > 0 && line.connection != connection);
        if (elsewhere || (patient && !leaving.entries.empty()))
        {
            schedule(*next, now);  // to its connection, or to the back of the line
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
        line.connection = connection;
        line.batches += leaving.entries.size() > first ? 1U : 0U;
        schedule(*next, now);
    }
}

batch_to_issue queue_core::to_batch(flight const& leaving, time now)
{
    auto const series_id = leaving.entries.front()->request.series_id;
    auto const& line = lines_[series_id];
    batch_to_issue batch{.id = leaving.id, .look_up = leaving.look_up};
    if (!leaving.several)
        batch.series_id = series_id;
    if (now < line.no_courtesy_until)
        batch.manners = courtesy::none;
    else if (now < line.shared_until)
        batch.manners = courtesy::lock;
    for (auto const& entry : leaving.entries)
        batch.requests.push_back(&entry->request);
    batch.known_epoch = marks_.epoch();
    for (auto const id : series_of(leaving.entries))
        batch.known.push_back(marks_.of(id));
    std::ranges::sort(batch.known, {}, &series_mark::series_id);
    return batch;
}

void queue_core::connect(connection_kind connection)
{
    begins_ = false;
    of(connection).stands = true;
    of(connection).heard = now_;
    of(connection).probed.reset();
    schedule_anew(now_);
}

void queue_core::lose(connection_kind connection, std::string why)
{
    begins_ = false;
    of(connection).stands = false;
    of(connection).probed.reset();
    trouble_ = std::move(why);
    schedule_anew(now_);
}

std::optional<queue_core::time> queue_core::due() const
{
    auto earliest = lines_.next_rested();
    for (auto const& way : connections_)
        if (auto const until = way.pace.gathers_until(); until && (!earliest || *until < *earliest))
            earliest = until;
    return earliest;
}

// What happens to a batch that ended, and to its requests.

queue_core::flight queue_core::take_flight(std::uint64_t id, connection_kind& connection)
{
    for (auto const kind : both_connections)
    {
        auto& way = of(kind);
        auto const found = std::ranges::find(way.flights, id, &flight::id);
        if (found == way.flights.end())
            continue;
        connection = kind;
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

void queue_core::end_probe(connection_kind connection, time now)
{
    of(connection).probed.reset();
    of(connection).heard = now;
}

void queue_core::end_batch(batch_end end, time now, queue_actions& actions)
{
    now_ = now;
    connection_kind connection{};
    auto ended = take_flight(end.id, connection);
    of(connection).heard = now;
    auto const series = series_of(ended.entries);
    if (end.lock_timed_out)
        lines_[series.front()].no_courtesy_until = now + no_courtesy_lasts;
    for (auto& entry : ended.entries)
        entry->maybe_spent = entry->maybe_spent || end.key_spent;
    switch (end.fate)
    {
    case batch_fate::done:
        on_done(connection, std::move(ended), std::move(end), now, actions);
        break;
    case batch_fate::not_plain: on_not_plain(std::move(ended)); break;
    case batch_fate::conflict: on_conflict(std::move(ended), end.contested, now, actions); break;
    case batch_fate::locked: on_locked(std::move(ended), now); break;
    case batch_fate::failed: on_failed(std::move(ended), end, now, actions); break;
    case batch_fate::unknown: on_unknown(std::move(ended)); break;
    }
    schedule_all(series, now);
    pump(now, actions);
}

void queue_core::on_done(
    connection_kind connection, flight done, batch_end end, time now, queue_actions& actions
)
{
    ensure(end.answers.size() == done.entries.size(), "every request of a batch has an answer");
    if (auto why = marks_.take(end.answers); !why.empty())
    {
        // Committed by a database that was put back a moment ago: nobody gets these numbers.
        actions.accused = std::move(why);
        for (auto& each : connections_)
            each.stands = false;
        return on_unknown(std::move(done));
    }
    auto& way = of(connection);
    note_replays(done, end.replayed);
    way.pace.note_done(done.sent, now);
    if (!end.left_out.empty())
        put_back_left_out(done, end);
    for (auto const series_id : series_of(done.entries))
        note_free(series_id, actions);
    way.pace.expect_back(
        {.answered = done.entries.size(),
         .waiting = lines_.waiting(connection),
         .under_way = way.under_way,
         .batch_max = limits_.batch_requests_max},
        now
    );
    for (std::size_t n = 0; n < done.entries.size(); ++n)
        if (end.answers[n].has_value() && end.answers[n]->replayed)
            end.answers[n]->in_doubt = done.entries[n]->uncertain;
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

/// Series left out of a batch of several, because they are locked or not plain, are sent alone.
void queue_core::put_back_left_out(flight& done, batch_end& end)
{
    flight back;
    queue_entries served;
    std::vector<result<issuance>> answers;
    for (std::size_t n = 0; n < done.entries.size(); ++n)
    {
        auto& each = done.entries[n];
        auto const series_id = each->request.series_id;
        auto const left = std::ranges::find(end.left_out, series_id) != end.left_out.end();
        each->alone = each->alone || left;
        each->look_up = each->look_up || left;
        (left ? back.entries : served).push_back(std::move(each));
        if (!left)
            answers.push_back(std::move(end.answers[n]));
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
        special->maybe_spent = special->maybe_spent || !back.several;
    }
    put_back(back);
}

/// Which series of a batch conflicted is unknown, so each is sent alone.
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
            continue;  // a later batch that met the same lock
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

/// One of several requests may be to blame for an unexpected error, so each is tried by itself.
void queue_core::on_failed(flight back, batch_end const& end, time now, queue_actions& actions)
{
    auto const apart = !back.several && end.unexpected && back.entries.size() > 1;
    for (auto& failed : back.entries)
    {
        if (!back.several && !apart)
            refuse(*failed, failed->uncertain ? late(*failed) : end.why, now, actions);
        failed->alone = true;
        failed->apart = failed->apart || apart;
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

/// Puts requests back where they came from in their lines.
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
    // Repeated keys come in waves; during one, looking keys up first saves the failed attempt,
    // which costs more than the look-up. A batch may have none by chance, so the third one without
    // ends the wave; but lone requests of a quiet series share batches again at once.
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

// What happens to requests past their deadline, to connections that take too long, and to series
// that stay locked.

refusal queue_core::late(queue_entry const& waiting)
{
    if (waiting.uncertain)
        return {
            refusal_kind::outcome_unknown,
            "the connection to the database was lost while the numbers were being issued; repeat "
            "with the same key"};
    if (!stands(quick) && !stands(patient))
        return {refusal_kind::database_unavailable, "no database to issue from: " + trouble_};
    if (standby_waits_)
        return {refusal_kind::database_unavailable, std::string{waits_for_standby}};
    auto const& line = lines_[waiting.request.series_id];
    if (line.locked_since)
        return {
            refusal_kind::overloaded,
            (line.blocker.empty() ? "another transaction has locked the series" : line.blocker) +
                "; repeat with the same key"};
    return {
        refusal_kind::overloaded,
        "the request waited too long for its turn; repeat with the same key"};
}

void queue_core::sweep(time now, queue_actions& actions)
{
    now_ = now;
    end_waiting(now, actions);
    for (auto const connection : both_connections)
        for (auto& sent : of(connection).flights)
            end_under_way(sent, now, actions);
    probe_idle(now, actions);
    find_stuck(now, actions);
    find_locked(now, actions);
}

/// A server may vanish without a word while nobody requests a number; the next request should not
/// be the one that finds out.
void queue_core::probe_idle(time now, queue_actions& actions)
{
    for (auto const connection : both_connections)
    {
        auto& way = of(connection);
        if (!way.stands || way.waits_since() || now - way.heard < probe_interval)
            continue;
        way.probed = now;
        actions.probes.push_back(connection);
    }
}

/// Finds connections whose oldest batch or probe takes too long. The other connection is dropped,
/// too, unless its server was heard of lately: if a host has vanished, reconnecting both at once is
/// faster than one after the other.
void queue_core::find_stuck(time now, queue_actions& actions)
{
    auto const waits = [&](connection_kind connection) {
        auto const since = of(connection).waits_since();
        return since ? now - *since : queue_clock::duration{};
    };
    for (auto const connection : both_connections)
    {
        auto const other = connection == quick ? patient : quick;
        auto const mute =
            of(connection).stands && now - of(connection).heard >= limits_.issue_time_max / 4;
        if (waits(connection) >= limits_.issue_time_max ||
            (waits(other) >= limits_.issue_time_max && mute))
            actions.stuck.push_back(connection);
    }
}

void queue_core::end_waiting(time now, queue_actions& actions)
{
    // At a start, clients may have been waiting for this program, so they wait for its connection.
    auto const hopeful = begins_ || stands(quick) || stands(patient);
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
    // A batch sent a moment ago may end soon, for example because its series is locked: then it is
    // certain that nothing happened.
    if (now - sent.sent < limits_.issue_time_max / 40)
        return;
    for (auto& slow : sent.entries)
        if (now - slow->arrived >= limits_.issue_time_max)
            refuse(
                *slow,
                {refusal_kind::outcome_unknown,
                 standby_waits_ ? std::string{waits_for_standby}
                                : "the database did not answer in time; repeat with the same key"},
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

void queue_core::refuse_all(refusal const& why, time now, queue_actions& actions)
{
    auto const certain = [](queue_entry const& one, series_line const&) { return !one.uncertain; };
    for (auto& entry : lines_.take_if(certain))
        refuse(*entry, why, now, actions);
}

queue_entries queue_core::take_waiting(std::int32_t series_id)
{
    return lines_.take_if([series_id](queue_entry const& waiting, series_line const&) {
        return waiting.request.series_id == series_id && waiting.may_be_drawn();
    });
}

bool queue_core::answers(time now, queue_clock::duration patience) const noexcept
{
    if (standby_waits_)
        return false;
    auto const is_busy = [](connection_state const& way) {
        return way.stands && !way.flights.empty();
    };
    // An idle connection that answers says nothing about a batch on the other one whose COMMIT does
    // not end.
    auto const ends = [&](auto const& way) { return is_busy(way) && !way.is_mute(now, patience); };
    if (std::ranges::any_of(connections_, is_busy))
        return std::ranges::any_of(connections_, ends);
    return std::ranges::any_of(connections_, &connection_state::stands) &&
           !is_silent(now, patience);
}

bool queue_core::is_silent(time now, queue_clock::duration patience) const noexcept
{
    auto const speaks = [&](auto const& way) { return way.stands && !way.is_mute(now, patience); };
    return std::ranges::any_of(connections_, &connection_state::stands) &&
           std::ranges::none_of(connections_, speaks);
}

void queue_core::stop(time now, queue_actions& actions)
{
    stopped_ = true;
    auto all = lines_.take_if([](queue_entry const&, series_line const&) { return true; });
    for (auto& entry : all)
        refuse(*entry, late(*entry), now, actions);
}

}  // namespace gapless
