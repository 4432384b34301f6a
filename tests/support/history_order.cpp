#include "support/history_rules.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace gapless::test {

namespace {

/// An executed request in time and in the ledger.
struct placed
{
    std::string name;
    std::int64_t ordinal{};
    test_time earliest{};
    test_time known{};
};

std::map<std::string, std::vector<placed>> place(key_stories const& stories)
{
    std::map<std::string, std::vector<placed>> series;
    for (auto const& told : stories)
    {
        auto const& story = told.second;
        auto const* answer = story.answer();
        auto const* executor = story.executor();
        if (executor == nullptr || (answer == nullptr && story.rows.empty()))
            continue;
        auto const ordinal = answer != nullptr && !answer->ranges.empty()
                                 ? answer->ranges.front().ordinal
                             : story.rows.empty() ? 0
                                                  : story.rows.front()->ordinal;
        series[story.issues.front()->series].push_back(
            {name_of(told), ordinal, executor->started, story.known()}
        );
    }
    return series;
}

/// Rule 6. Each answer carries its position, so one sweep decides it: a request that was answered
/// before one of a lower ordinal was even sent stands in the wrong place.
void check_real_time(std::vector<placed>& executed, findings& found)
{
    std::ranges::sort(executed, {}, &placed::ordinal);
    placed const* latest = nullptr;
    for (auto const& each : executed)
    {
        if (latest != nullptr && each.known < latest->earliest)
            found.add(
                6,
                each.name + " (ordinal " + std::to_string(each.ordinal) + ") was answered before " +
                    latest->name + " (ordinal " + std::to_string(latest->ordinal) + ") was sent"
            );
        if (latest == nullptr || each.earliest > latest->earliest)
            latest = &each;
    }
}

/// How many numbers of the series were certainly out before `moment`.
std::int64_t acknowledged_before(
    recorded_history const& seen, std::string const& series, test_time moment
)
{
    std::int64_t out = 0;
    for (auto const& tried : seen.attempts)
        if (tried.what == operation::issue && tried.fate == attempt_fate::ok &&
            tried.series == series && tried.ended < moment)
            for (auto const& range : tried.ranges)
                out = std::max(out, range.ordinal + range.count() - 1);
    for (auto const& tried : seen.attempts)
        if (tried.what == operation::read && tried.fate == attempt_fate::ok &&
            tried.series == series && tried.ended < moment)
            out = std::max(out, tried.issued);
    return out;
}

/// How many numbers of the series can have been out before `moment`.
std::int64_t asked_before(key_stories const& stories, std::string const& series, test_time moment)
{
    std::int64_t sum = 0;
    for (auto const& [key, story] : stories)
        for (auto const* tried : story.issues)
            if (tried->series == series && tried->fate != attempt_fate::fail &&
                tried->started < moment)
            {
                sum += tried->count;
                break;
            }
    return sum;
}

}  // namespace

void check_order(key_stories const& stories, findings& found)
{
    auto series = place(stories);
    for (auto& [name, executed] : series)
        check_real_time(executed, found);
}

void check_reads(key_stories const& stories, recorded_history const& seen, findings& found)
{
    for (auto const& read : seen.attempts)
    {
        if (read.what != operation::read || read.fate != attempt_fate::ok)
            continue;
        auto const least = acknowledged_before(seen, read.series, read.started);
        auto const most = asked_before(stories, read.series, read.ended);
        if (read.issued < least || read.issued > most)
            found.add(
                7,
                "a read of " + read.series + " saw " + std::to_string(read.issued) +
                    " numbers issued, it had to see " + std::to_string(least) + " to " +
                    std::to_string(most)
            );
    }
}

void check_healing(recorded_history const& seen, findings& found)
{
    if (seen.healed == 0)
        return;
    std::set<std::string> waiting;
    for (auto const& tried : seen.attempts)
        if (tried.what == operation::issue)
            waiting.insert(tried.series);
    for (auto const& tried : seen.attempts)
        if (tried.what == operation::issue && tried.fate == attempt_fate::ok && !tried.replayed &&
            tried.started > seen.healed)
            waiting.erase(tried.series);
    for (auto const& series : waiting)
        found.add(10, "series " + series + " issued nothing after the last fault was healed");
}

}  // namespace gapless::test
