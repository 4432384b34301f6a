#include "base/log.hpp"
#include "service/issue_queue.hpp"
#include "store/journal.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>

/// What the queue does when its lanes come and go, and how it keeps numbers from leaving twice:
/// what it notes outside the database, and what it does when the database may not issue.
namespace gapless {

namespace asio = boost::asio;

namespace {

char const* name_of(lane_kind kind) noexcept
{
    return kind == lane_kind::quick ? "quick" : "patient";
}

}  // namespace

bool issue_queue::connected() const noexcept
{
    return core_.stands(lane_kind::quick) || core_.stands(lane_kind::patient);
}

bool issue_queue::whole() const noexcept
{
    return core_.stands(lane_kind::quick) && core_.stands(lane_kind::patient);
}

bool issue_queue::answers() const noexcept
{
    constexpr std::chrono::seconds patience{1};
    return core_.answers(queue_clock::now(), patience);
}

bool issue_queue::fenced() const noexcept
{
    return std::ranges::any_of(sides_, &side::fenced);
}

/// The one whose trouble is to be told: a fence, or that of the lane that is missed most.
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

/// Both lanes have to lead to one server: else what leaves on one could leave on the other again.
/// The gatekeeper has compared the new one with what was answered before; with the other lane still
/// at work on its own server that may be true no more, so the new one is asked again.
bool issue_queue::admit(lane_kind kind, std::string const& server)
{
    auto& standing = *other_than(kind).way;
    if (!standing.connected() || standing.server() == server)
        return true;
    standing.drop("another server answers at the database's address");
    return false;
}

void issue_queue::on_connected(lane_kind kind)
{
    of(kind).trouble.clear();
    of(kind).fenced = false;
    core_.connect(kind);
    log_event(log_level::info, "database_connected", {{"lane", name_of(kind)}});
    schedule_pump();
    if (watchers_.lane_changed)
        asio::post(io_, watchers_.lane_changed);
}

void issue_queue::on_lost(lane_kind kind, std::string why)
{
    auto& one = of(kind);
    // Once per reason, not once per attempt or lane.
    if (why != one.trouble && why != other_than(kind).trouble)
        log_event(log_level::warning, "database_lost", {{"lane", name_of(kind)}, {"why", why}});
    one.trouble = why;
    one.fenced = false;
    core_.lose(kind, std::move(why));
    if (stopped_)
        return;
    schedule_pump();
    if (watchers_.lane_changed)
        asio::post(io_, watchers_.lane_changed);
}

void issue_queue::on_fenced(lane_kind kind, std::string why)
{
    auto& one = of(kind);
    if (why != one.trouble && why != other_than(kind).trouble)
        log_event(log_level::error, "fenced", {{"why", why}});
    one.trouble = why;
    one.fenced = true;
    core_.lose(kind, why);
    // Nothing leaves on the other lane either. Requests whose first try may have happened stay
    // until their time is over: they are not told that nothing happened.
    other_than(kind).way->drop(why);
    queue_actions actions;
    core_.refuse_all(fence(), queue_clock::now(), actions);
    run(std::move(actions));
}

void issue_queue::on_ended(lane_kind kind, batch_end end)
{
    auto const accuses = end.accuses;
    auto const why = end.why.detail;
    queue_actions actions;
    core_.end_batch(std::move(end), queue_clock::now(), actions);
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

void issue_queue::note_blocker(std::int32_t series_id, std::string blocker)
{
    core_.note_blocker(series_id, std::move(blocker));
}

bool issue_queue::remember(std::vector<result<issuance>> const& answers)
{
    if (!watchers_.remember)
        return true;
    try
    {
        // One note for each series: its answers stand side by side.
        series_mark highest;
        for (auto const& answer : answers)
        {
            if (answer.has_error())
                continue;
            if (answer->series_id != highest.series_id && highest.ordinal > 0)
                watchers_.remember(std::exchange(highest, {}));
            highest.series_id = answer->series_id;
            for (auto const& range : answer->ranges)
            {
                highest.ordinal = std::max(highest.ordinal, range.ordinal + range.count - 1);
                highest.turn = std::max(highest.turn, range.turn);
            }
        }
        if (highest.ordinal > 0)
            watchers_.remember(highest);
        return true;
    }
    catch (journal_failure const& failure)
    {
        log_event(log_level::error, "journal_failed", {{"why", failure.what()}});
        // Posted: the lane is in the middle of telling us. Both: nothing is answered until the
        // journal could be written.
        asio::post(io_, [this] { reconnect("the journal cannot be written"); });
        return false;
    }
}

}  // namespace gapless
