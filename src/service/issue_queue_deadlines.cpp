#include "base/failpoint.hpp"
#include "service/issue_queue.hpp"

#include <algorithm>
#include <utility>

/// What happens to requests whose time is over, and to those that would have to wait too long.
namespace gapless {

namespace {

constexpr std::chrono::milliseconds sweep_interval{50};

}  // namespace

bool issue_queue::takes_one_more() const
{
    if (waiting_ >= limits_.requests_max || stopped_)
        return false;
    // As long as one batch takes all that wait, how long the last one took tells nothing: it may
    // have been a single request that waited for a lock.
    if (waiting_ < limits_.batch_requests_max || !lane_.connected())
        return true;
    // Series share batches, but for those of which another instance issues, too.
    auto const alone = lane_.contested() ? turns_.size() : 1;
    auto const ahead = flights_.size() + alone + waiting_ / limits_.batch_requests_max;
    return batch_time_ * static_cast<std::int64_t>(ahead) <= limits_.queue_wait_max;
}

void issue_queue::note_pace(flight const& done)
{
    constexpr int memory = 4;  // batches
    auto const now = clock::now();
    auto const took = now - std::max(done.sent, std::exchange(last_done_, now));
    batch_time_ += (took - batch_time_) / memory;
}

refusal issue_queue::late(entry const& waiting) const
{
    if (waiting.uncertain)
        return {
            refusal_kind::outcome_unknown,
            "the connection to the database was lost while the numbers were being issued; repeat "
            "with the same key"};
    if (!lane_.connected())
        return {refusal_kind::database_unavailable, "no database to issue from: " + trouble_};
    return {
        refusal_kind::overloaded,
        "the request waited too long for its turn; repeat with the same key"};
}

void issue_queue::sweep()
{
    if (stopped_)
        return;
    auto const now = clock::now();
    // First who leaves, then what they are told: a listener may submit its next request at once.
    std::vector<std::unique_ptr<entry>> leaving;
    for (auto& [id, line] : lines_)
        if (!line.entries.empty())
            take_late(line, now, leaving);
    for (auto& late_one : leaving)
        end(*late_one, late(*late_one), now);

    bool stuck = false;
    for (auto& sent : flights_)
        for (auto& slow : sent.entries)
            if (slow->listener && now - slow->arrived >= limits_.wait_max)
            {
                end(*slow,
                    refusal{
                        seeded_bug("late-answered-as-failed") ? refusal_kind::database_unavailable
                                                              : refusal_kind::outcome_unknown,
                        "the database did not answer in time; repeat with the same key"},
                    now);
                stuck = stuck || now - sent.sent >= limits_.wait_max;
            }
    if (stuck)
        lane_.drop("a batch took longer than a request may wait");

    sweep_timer_.expires_after(sweep_interval);
    sweep_timer_.async_wait([this](boost::system::error_code error) {
        if (!error)
            sweep();
    });
}

void issue_queue::take_late(
    series_line& line, clock::time_point now, std::vector<std::unique_ptr<entry>>& leaving
)
{
    auto const too_late = [&](std::unique_ptr<entry> const& waiting) {
        auto const patience = lane_.connected() || waiting->uncertain
                                  ? limits_.wait_max
                                  : limits_.unavailable_wait_max;
        return now - waiting->arrived >= patience;
    };
    for (auto& waiting : line.entries)
        if (too_late(waiting))
            leaving.push_back(std::move(waiting));
    waiting_ -= std::erase_if(line.entries, [](auto const& waiting) { return !waiting; });
}

}  // namespace gapless
