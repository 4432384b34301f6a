#pragma once

#include "support/history.hpp"
#include "support/ledger_dump.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

/// The parts of the history checker; history_checker.hpp is what tests use.
namespace gapless::test {

/// What a rule found, in words.
class findings
{
public:
    void add(int rule, std::string const& what)
    {
        texts_.push_back("rule " + std::to_string(rule) + ": " + what);
    }

    std::vector<std::string> const& texts() const noexcept { return texts_; }

private:
    std::vector<std::string> texts_;
};

/// Everything about one key of one client: what was tried with it, and what the ledger holds under
/// it.
struct key_story
{
    std::vector<attempt const*> issues;  // in the order of their starts
    std::vector<attempt const*> reuses;
    std::vector<ledger_range const*> rows;  // by ordinal

    /// The first answer with numbers, or null.
    attempt const* answer() const noexcept;

    /// The attempt that executed it, where that is certain, else the first that may have; null when
    /// all of them said that they did not.
    attempt const* executor() const noexcept;

    /// When a client first knew the numbers; the end of time when none did.
    test_time known() const noexcept;
};

/// By client and key as the ledger holds it.
using key_stories = std::map<std::pair<std::string, std::string>, key_story>;

key_stories tell_stories(recorded_history const& seen, ledger_dump const& ledger);

/// "key 4711 of shop"
std::string name_of(key_stories::value_type const& story);

/// Rules 4 and 8, from the ledger alone.
void check_ledger(ledger_dump const& ledger, findings& found);

/// Rules 1, 2, 3, 5 and 9.
void check_answers(key_stories const& stories, ledger_dump const& ledger, findings& found);

/// Rule 1 between keys: no number and no ordinal was given to two.
void check_given_once(key_stories const& stories, findings& found);

/// Rules 6, 7 and 10.
void check_order(key_stories const& stories, findings& found);
void check_reads(key_stories const& stories, recorded_history const& seen, findings& found);
void check_healing(recorded_history const& seen, findings& found);

}  // namespace gapless::test
