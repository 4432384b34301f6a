#include "issuing/issue_queue.hpp"

#include "base/contract.hpp"
#include "base/log.hpp"
#include "issuing/journal.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <random>
#include <utility>

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds sweep_interval{50};

// How long the database may take over one thing before it counts as unavailable.
constexpr std::chrono::seconds patience{1};

double roll_dice()
{
    static thread_local std::minstd_rand dice{std::random_device{}()};
    return std::uniform_real_distribution<double>{0, 1}(dice);
}

char const* name_of(connection_kind kind) noexcept
{
    return kind == connection_kind::quick ? "quick" : "patient";
}

}  // namespace

issue_queue::issue_queue(
    asio::io_context& io,
    issue_connection_settings const& settings,
    queue_limits limits,
    queue_watchers watchers
)
    : io_{io},
      watchers_{std::move(watchers)},
      core_{limits, counters_, roll_dice},
      sweep_timer_{io},
      due_timer_{io}
{
    for (auto const kind : both_connections)
    {
        of(kind).kind = kind;
        of(kind).way = make_connection(kind, settings);
    }
}

issue_queue::~issue_queue()
{
    stopped_ = true;
    for (auto& one : sides_)
        one.way->stop();
}

std::unique_ptr<issue_connection> issue_queue::make_connection(
    connection_kind kind, issue_connection_settings const& settings
)
{
    // Failures in these handlers belong to no request: they stop the process.
    issue_connection_events events{
        .admit = [this, kind](std::string const& server
                 ) { return or_stop([&] { return admit(kind, server); }); },
        .ended = [this, kind](batch_end end) { or_stop([&] { on_ended(kind, std::move(end)); }); },
        .heard = [this, kind] { core_.end_probe(kind, queue_clock::now()); },
        .connected = [this, kind] { or_stop([&] { on_connected(kind); }); },
        .lost = [this, kind](
                    std::string why, std::string cause
                ) { or_stop([&] { on_lost(kind, std::move(why), std::move(cause)); }); },
        .fenced = [this,
                   kind](std::string why) { or_stop([&] { on_fenced(kind, std::move(why)); }); }};
    return std::make_unique<issue_connection>(io_, settings, std::move(events));
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

/// Sends first, so that PostgreSQL works while we answer.
void issue_queue::run(queue_actions actions)
{
    for (auto& leaving : actions.sends)
    {
        add_noted(leaving.batch);
        of(leaving.connection).way->send(std::move(leaving.batch));
    }
    for (auto& answered : actions.answers)
        answer(answered);
    for (auto& refused : actions.refusals)
        refused.listener->ended(std::move(refused.why));
    for (auto const kind : actions.probes)
        of(kind).way->probe();
    for (auto const kind : actions.stuck)
        of(kind).way->drop("the database did not answer for longer than a request may wait");
    for (auto const series_id : actions.locked)
        if (watchers_.locked)
            watchers_.locked(series_id);
    for (auto const series_id : actions.free_again)
        if (watchers_.free_again)
            watchers_.free_again(series_id);
    wait_until_due();
    if (!actions.accused.empty())
        for (auto& one : sides_)
            one.way->accuse(actions.accused);
}

/// Adds the marks noted by anyone but the queue, or by an earlier process.
void issue_queue::add_noted(batch_to_issue& batch) const
{
    if (!watchers_.noted)
        return;
    for (auto& mark : batch.known)
        mark.raise(watchers_.noted(mark.series_id, batch.known_epoch));
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

// How the queue reacts when its connections come and go, and how it keeps numbers from being issued
// twice: what it notes outside the database, and what it does when the database may not issue.

bool issue_queue::connected() const noexcept
{
    return core_.stands(connection_kind::quick) || core_.stands(connection_kind::patient);
}

bool issue_queue::whole() const noexcept
{
    return core_.stands(connection_kind::quick) && core_.stands(connection_kind::patient);
}

bool issue_queue::answers() const noexcept
{
    return core_.answers(queue_clock::now(), patience);
}

bool issue_queue::silent() const noexcept
{
    return core_.is_silent(queue_clock::now(), patience);
}

bool issue_queue::fenced() const noexcept
{
    return std::ranges::any_of(sides_, &side::fenced);
}

/// The side whose trouble to report: a fenced one, else the connection that is missed most.
issue_queue::side const& issue_queue::worst() const noexcept
{
    auto const fenced_one = std::ranges::find_if(sides_, &side::fenced);
    return fenced_one != sides_.end() ? *fenced_one : sides_.front();
}

std::string const& issue_queue::trouble() const noexcept
{
    static std::string const none;
    return connected() && !fenced() ? none : worst().trouble;
}

void issue_queue::reconnect(std::string const& why)
{
    for (auto& one : sides_)
        one.way->drop(why);
}

/// Both connections must lead to one server, or numbers issued on one could be issued again on the
/// other. The admission check compared the new one with what was answered before, but the other
/// connection may have issued more on its own server since, so the new one is checked again.
bool issue_queue::admit(connection_kind kind, std::string const& server)
{
    auto& standing = *other_than(kind).way;
    if (!standing.connected() || standing.server() == server)
        return true;
    standing.drop("another server answers at the database's address");
    return false;
}

void issue_queue::on_connected(connection_kind kind)
{
    of(kind).trouble.clear();
    of(kind).cause.clear();
    of(kind).fenced = fenced_last_ = false;
    auto const& admitted = of(kind).way->admitted();
    core_.know(of(kind).way->server(), admitted);
    std::pair const life{admitted.epoch, admitted.counter_oid};
    if (life != std::exchange(life_, life) && watchers_.database_changed)
        watchers_.database_changed();
    core_.connect(kind);
    log_event(log_level::info, "database_connected", {{"lane", name_of(kind)}});
    schedule_pump();
    if (watchers_.connection_changed)
        asio::post(io_, watchers_.connection_changed);
}

void issue_queue::on_lost(connection_kind kind, std::string why, std::string cause)
{
    auto& one = of(kind);
    if (cause.empty())
        cause = why;
    // Logged once per reason, not once per attempt or connection.
    if (cause != one.cause && cause != other_than(kind).cause)
        log_event(log_level::warning, "database_lost", {{"lane", name_of(kind)}, {"why", cause}});
    one.cause = std::move(cause);
    one.trouble = why;
    one.fenced = false;
    core_.lose(kind, std::move(why));
    if (stopped_)
        return;
    schedule_pump();
    if (watchers_.connection_changed)
        asio::post(io_, watchers_.connection_changed);
}

void issue_queue::on_fenced(connection_kind kind, std::string why)
{
    auto& one = of(kind);
    if (why != one.trouble && why != other_than(kind).trouble)
        log_event(log_level::error, "fenced", {{"why", why}});
    one.trouble = why;
    one.cause = why;
    one.fenced = fenced_last_ = true;
    core_.lose(kind, why);
    // Stop issuing on the other connection, too. Requests whose first try may have happened stay
    // until their deadline: they are not told that nothing happened.
    other_than(kind).way->drop(why);
    queue_actions actions;
    core_.refuse_all(fence(), queue_clock::now(), actions);
    run(std::move(actions));
}

bool issue_queue::refusing() const noexcept
{
    constexpr std::chrono::seconds least{3};  // one batch that fails is no state
    constexpr std::chrono::seconds known_for{30};
    return refused_at_ - refused_since_ >= least && queue_clock::now() - refused_at_ < known_for;
}

void issue_queue::on_ended(connection_kind kind, batch_end end)
{
    auto const now = queue_clock::now();
    if (end.fate == batch_fate::done)
        refused_since_ = refused_at_ = {};
    else if (end.fate == batch_fate::failed && end.why.kind == refusal_kind::database_unavailable)
    {
        refused_since_ = refused_at_ == queue_clock::time_point{} ? now : refused_since_;
        refused_at_ = now;
    }
    auto const accuses = end.accuses;
    auto const why = end.why.detail;
    queue_actions actions;
    core_.end_batch(std::move(end), now, actions);
    run(std::move(actions));
    if (accuses)
        other_than(kind).way->accuse(why);
}

refusal issue_queue::fence() const
{
    return {
        refusal_kind::fenced,
        "No number is issued until this is settled: " + trouble() + ". See: gapless epoch show"};
}

bool issue_queue::note_blocker(std::int32_t series_id, std::string blocker)
{
    return core_.note_blocker(series_id, std::move(blocker));
}

bool issue_queue::remember(std::vector<result<issuance>> const& answers)
{
    if (!watchers_.remember)
        return true;
    try
    {
        // One note for each series: its answers are adjacent.
        series_mark highest;
        for (auto const& answer : answers)
        {
            if (answer.has_error())
                continue;
            if (answer->series_id != highest.series_id && highest.ordinal > 0)
                watchers_.remember(std::exchange(highest, {}));
            highest.series_id = answer->series_id;
            // The repetition of an answer from a reserve has the moment of that answer, not the
            // ledger's.
            auto const at = answer->reserve ? series_mark::moment{} : answer->issued_at;
            for (auto const& range : answer->ranges)
                highest.raise(
                    {.series_id = answer->series_id,
                     .ordinal = range.ordinal + range.count - 1,
                     .turn = range.turn,
                     .ordinal_at = at,
                     .turn_at = at,
                     .is_new = !answer->replayed,
                     .next_serial = range.serial + range.count}
                );
        }
        if (highest.ordinal > 0)
            watchers_.remember(highest);
        return true;
    }
    catch (journal_failure const& failure)
    {
        log_event(log_level::error, "journal_failed", {{"why", failure.what()}});
        // Posted, because the connection is calling us. Both are dropped: nothing is answered until
        // the journal can be written.
        asio::post(io_, [this] { reconnect("the journal cannot be written"); });
        return false;
    }
}

}  // namespace gapless
