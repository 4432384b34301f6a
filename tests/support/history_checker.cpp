#include "support/history_checker.hpp"

#include "support/history_rules.hpp"

#include <algorithm>
#include <limits>

namespace gapless::test {

namespace {

constexpr std::size_t findings_shown_max = 10;
constexpr test_time end_of_time = std::numeric_limits<test_time>::max();

}  // namespace

attempt const* key_story::answer() const noexcept
{
    auto const found = std::ranges::find(issues, attempt_fate::ok, &attempt::fate);
    return found == issues.end() ? nullptr : *found;
}

attempt const* key_story::executor() const noexcept
{
    // An answer that is no replay was executed by this very attempt; else it may have been any.
    auto const fresh = [](attempt const* tried) {
        return tried->fate == attempt_fate::ok && !tried->replayed;
    };
    auto const possible = [](attempt const* tried) { return tried->fate != attempt_fate::fail; };
    auto found = std::ranges::find_if(issues, fresh);
    if (found == issues.end())
        found = std::ranges::find_if(issues, possible);
    return found == issues.end() ? nullptr : *found;
}

test_time key_story::known() const noexcept
{
    auto first = end_of_time;
    for (auto const* tried : issues)
        if (tried->fate == attempt_fate::ok)
            first = std::min(first, tried->ended);
    return first;
}

key_stories tell_stories(recorded_history const& seen, ledger_dump const& ledger)
{
    key_stories stories;
    for (auto const& tried : seen.attempts)
    {
        if (tried.what == operation::read)
            continue;
        auto& story = stories[{tried.client, to_ledger_key(tried.key)}];
        (tried.what == operation::reuse ? story.reuses : story.issues).push_back(&tried);
    }
    for (auto& [key, story] : stories)
        std::ranges::sort(story.issues, {}, &attempt::started);
    for (auto const& row : ledger.ranges)
        stories[{row.client, row.key}].rows.push_back(&row);
    return stories;
}

std::string name_of(key_stories::value_type const& story)
{
    auto const& [key, told] = story;
    auto const& spelled = told.issues.empty() ? key.second : told.issues.front()->key;
    return "key " + spelled + " of " + key.first;
}

std::vector<std::string> check_history(recorded_history const& seen, ledger_dump const& ledger)
{
    auto const stories = tell_stories(seen, ledger);
    findings found;
    check_ledger(ledger, found);
    check_answers(stories, ledger, found);
    check_given_once(stories, found);
    check_order(stories, found);
    check_reads(stories, seen, found);
    check_healing(seen, found);
    return found.texts();
}

std::string checked(history const& seen, ledger_dump const& ledger)
{
    auto const found = check_history({seen.attempts(), seen.healed()}, ledger);
    if (found.empty())
        return "clean";
    auto text = std::to_string(found.size()) + " findings";
    for (std::size_t n = 0; n < std::min(found.size(), findings_shown_max); ++n)
        text += "\n" + found[n];
    return text;
}

}  // namespace gapless::test
