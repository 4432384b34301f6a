#include "base/log.hpp"
#include "service/issue_queue.hpp"
#include "store/journal.hpp"

#include <boost/asio/post.hpp>

/// How the queue keeps numbers from leaving twice: what it notes outside the database, and what it
/// does when the database may not issue.
namespace gapless {

namespace asio = boost::asio;

refusal issue_queue::fence() const
{
    return {
        refusal_kind::fenced,
        "No number leaves until this is settled: " + trouble_ + ". See: gapless epoch show"};
}

void issue_queue::on_fenced(std::string why)
{
    if (why != trouble_)
        log_event(log_level::error, "fenced", {{"why", why}});
    trouble_ = std::move(why);
    fenced_ = true;
    // Requests whose first try may have happened stay until their time is over: they are not told
    // that nothing happened.
    auto const now = clock::now();
    std::vector<std::unique_ptr<entry>> leaving;
    for (auto& [id, line] : lines_)
    {
        for (auto& waiting : line.entries)
            if (!waiting->uncertain)
                leaving.push_back(std::move(waiting));
        waiting_ -= std::erase_if(line.entries, [](auto const& waiting) { return !waiting; });
    }
    for (auto& refused : leaving)
        end(*refused, fence(), now);
}

void issue_queue::refuse_fenced(std::unique_ptr<entry> refused)
{
    asio::post(io_, [refused = std::move(refused), why = fence()]() mutable {
        refused->listener->ended(std::move(why));
    });
}

bool issue_queue::remember(std::vector<result<issuance>> const& answers)
{
    if (!remember_)
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
                remember_(std::exchange(highest, {}));
            highest.series_id = answer->series_id;
            for (auto const& range : answer->ranges)
            {
                highest.ordinal = std::max(highest.ordinal, range.ordinal + range.count - 1);
                highest.turn = std::max(highest.turn, range.turn);
            }
        }
        if (highest.ordinal > 0)
            remember_(highest);
        return true;
    }
    catch (journal_failure const& failure)
    {
        log_event(log_level::error, "journal_failed", {{"why", failure.what()}});
        // Posted: the lane is in the middle of telling us.
        asio::post(io_, [this] { lane_.drop("the journal cannot be written"); });
        return false;
    }
}

}  // namespace gapless
