#include "support/history_rules.hpp"

#include <algorithm>

namespace gapless::test {

namespace {

constexpr std::int64_t clocks_differ_max = 1'000;  // microseconds between two looks at one clock

std::string to_text(answered_range const& range)
{
    return std::to_string(range.first) + "-" + std::to_string(range.last) + " of block " +
           std::to_string(range.block) + " at ordinal " + std::to_string(range.ordinal);
}

std::string to_text(std::vector<answered_range> const& ranges)
{
    std::string text;
    for (auto const& range : ranges)
        text += (text.empty() ? "" : ", ") + to_text(range);
    return text.empty() ? "nothing" : text;
}

std::vector<answered_range> ranges_of(key_story const& story)
{
    std::vector<answered_range> ranges;
    for (auto const* row : story.rows)
        ranges.push_back({row->block, row->serial, row->last_serial(), row->ordinal});
    return ranges;
}

std::string same_request(attempt const& one, attempt const& other)
{
    auto const same = one.series == other.series && one.count == other.count &&
                      one.contiguous == other.contiguous;
    return same ? "" : "the test sent it for two requests";
}

/// Rule 2, and that it was one request at all.
void check_answers_agree(key_stories::value_type const& told, findings& found)
{
    auto const& story = told.second;
    auto const* first = story.answer();
    for (auto const* tried : story.issues)
    {
        if (auto const why = same_request(*story.issues.front(), *tried); !why.empty())
            found.add(2, name_of(told) + ": " + why);
        if (tried->fate != attempt_fate::ok)
            continue;
        if (!tried->defect.empty())
            found.add(1, name_of(told) + ": " + tried->defect);
        if (tried->ranges != first->ranges)
            found.add(
                2,
                name_of(told) + " was answered with " + to_text(first->ranges) + " and with " +
                    to_text(tried->ranges)
            );
        if (tried->issuance != first->issuance || tried->epoch != first->epoch ||
            tried->body != first->body)
            found.add(
                2, name_of(told) + " was answered with " + first->body + " and with " + tried->body
            );
    }
    auto const fresh = std::ranges::count_if(story.issues, [](attempt const* tried) {
        return tried->fate == attempt_fate::ok && !tried->replayed;
    });
    if (fresh > 1)
        found.add(2, name_of(told) + " was answered for the first time more than once");
    for (auto const* tried : story.reuses)
        if (tried->fate == attempt_fate::ok)
            found.add(2, name_of(told) + " also answered a request it was not spent on");
}

/// Rule 3.
void check_in_ledger(key_stories::value_type const& told, findings& found)
{
    auto const& story = told.second;
    auto const* answer = story.answer();
    if (answer == nullptr)
        return;
    auto const kept = ranges_of(story);
    if (kept != answer->ranges)
        found.add(
            3,
            name_of(told) + " was answered with " + to_text(answer->ranges) +
                ", the ledger holds " + to_text(kept)
        );
    for (auto const* row : story.rows)
        if (row->series != answer->series || row->epoch != answer->epoch)
            found.add(3, name_of(told) + " is in the ledger under another series or epoch");
}

/// Rule 5.
void check_was_sent(key_stories::value_type const& told, findings& found)
{
    auto const& story = told.second;
    if (story.rows.empty())
        return;
    auto const holds = ", the ledger holds " + to_text(ranges_of(story));
    auto const* executor = story.executor();
    if (story.issues.empty())
        found.add(5, name_of(told) + " was never sent" + holds);
    else if (executor == nullptr)
        found.add(5, name_of(told) + " was said not to be executed" + holds);
    else if (story.rows.front()->issued_at + clocks_differ_max < executor->sent_at)
        found.add(5, name_of(told) + " was executed by an attempt that denied it" + holds);
}

/// Rule 9.
void check_whole(
    std::string const& name,
    attempt const& asked,
    std::vector<answered_range> const& ranges,
    findings& found
)
{
    std::int64_t sum = 0;
    for (std::size_t n = 0; n < ranges.size(); ++n)
    {
        sum += ranges[n].count();
        if (ranges[n].count() < 1)
            found.add(9, name + " has an empty range");
        if (n > 0 && ranges[n].ordinal != ranges[n - 1].ordinal + ranges[n - 1].count())
            found.add(9, name + " has ordinals that do not follow one another: " + to_text(ranges));
    }
    if (sum != asked.count)
        found.add(
            9,
            name + " asked for " + std::to_string(asked.count) + " numbers and has " +
                std::to_string(sum)
        );
    if (asked.contiguous && ranges.size() > 1)
        found.add(9, name + " asked for one piece and has " + to_text(ranges));
}

/// Rule 1 of a single range: it stands inside a block, in the right place.
void check_in_block(
    std::string const& name,
    std::string const& series,
    answered_range const& range,
    ledger_dump const& ledger,
    findings& found
)
{
    for (auto const& block : ledger.blocks)
        if (block.block == range.block && block.series == series && block.first <= range.first &&
            range.last <= block.last && block.first_ordinal &&
            range.ordinal - *block.first_ordinal == range.first - block.first)
            return;
    found.add(1, name + " has " + to_text(range) + ", where no block of the series has it");
}

/// Finds two ranges of one series that share an integer; `what` says which integers are meant.
class given
{
public:
    explicit given(std::string what) : what_{std::move(what)} {}

    void add(std::string const& series, std::int64_t first, std::int64_t count, std::string name)
    {
        pieces_.push_back({series, first, first + count, std::move(name)});
    }

    void check(findings& found)
    {
        std::ranges::sort(pieces_, [](piece const& a, piece const& b) {
            return std::tie(a.series, a.first) < std::tie(b.series, b.first);
        });
        for (std::size_t n = 1; n < pieces_.size(); ++n)
            if (pieces_[n].series == pieces_[n - 1].series && pieces_[n].first < pieces_[n - 1].end)
                found.add(
                    1,
                    what_ + " " + std::to_string(pieces_[n].first) + " was given to " +
                        pieces_[n - 1].name + " and to " + pieces_[n].name
                );
    }

private:
    struct piece
    {
        std::string series;
        std::int64_t first{};
        std::int64_t end{};
        std::string name;
    };
    std::string what_;
    std::vector<piece> pieces_;
};

}  // namespace

void check_answers(key_stories const& stories, ledger_dump const& ledger, findings& found)
{
    for (auto const& told : stories)
    {
        auto const& story = told.second;
        check_answers_agree(told, found);
        check_in_ledger(told, found);
        check_was_sent(told, found);
        if (!story.issues.empty() && !story.rows.empty())
            check_whole(
                name_of(told) + " in the ledger", *story.issues.front(), ranges_of(story), found
            );
        if (auto const* answer = story.answer())
        {
            check_whole(name_of(told), *answer, answer->ranges, found);
            for (auto const& range : answer->ranges)
                check_in_block(name_of(told), answer->series, range, ledger, found);
        }
    }
}

void check_given_once(key_stories const& stories, findings& found)
{
    given numbers{"number"};
    given ordinals{"ordinal"};
    for (auto const& told : stories)
        if (auto const* answer = told.second.answer())
            for (auto const& range : answer->ranges)
            {
                numbers.add(answer->series, range.first, range.count(), name_of(told));
                ordinals.add(answer->series, range.ordinal, range.count(), name_of(told));
            }
    numbers.check(found);
    ordinals.check(found);
}

}  // namespace gapless::test
