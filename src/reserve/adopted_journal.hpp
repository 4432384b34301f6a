#pragma once

#include "reserve/outage_sums.hpp"
#include "reserve/reserve_steps.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gapless {

/// What became of a journal that another process left behind.
struct adoption
{
    bool done{};               // nothing is left to do; the file is retired, unless it is a copy
    std::int64_t settled{};    // answers, of this call
    std::int64_t returned{};   // numbers, of this call
    std::string waits{};       // why it is not done: an operator has to see to it
    outages_by_series told{};  // what it comes to, once everything is settled that can be
};

/// A journal of leases that a process left behind, of this instance before it was started anew or
/// of another one: its answers are settled, and its rests returned where that is safe. A file that
/// is a copy or damaged, or was written before the host was started anew, is settled as far as it
/// can be read and nothing of it is returned: the original, or what was lost, may have drawn more.
/// Its leases wait for an operator. So does a file without a secret that the database takes, and
/// what was answered from a lease that the database has forgotten. A database thread at a time.
class adopted_journal
{
public:
    explicit adopted_journal(std::unique_ptr<lease_journal> file);

    /// Goes on with it, for a bounded time. Safe to repeat. Throws lease_journal_failure.
    result<adoption> go_on(pqxx::connection& connection, journal* marks);

    std::string file() const;

    instance_identity const& who() const noexcept { return who_; }

    /// Whether that was not the last thing that was said of this file. I/O thread only.
    bool is_news(std::string const& text);

    /// The database knows all its answers.
    bool is_settled() const noexcept
    {
        return settled_ == content_.unsettled.size() && forgotten_.empty();
    }

private:
    result<void> claim(pqxx::connection& connection);
    result<bool> settle(pqxx::connection& connection, journal* marks, adoption& done);
    result<bool> give_back(pqxx::connection& connection, adoption& done);
    void count_settled(settling const& what, std::vector<settled_record> const& outcomes);

    lease_journal_content content_;
    std::unique_ptr<journal_writer> writer_;
    instance_identity who_;
    lease_id claim_;
    bool claimed_{};
    bool only_settles_{};
    std::size_t settled_{};         // of content_.unsettled, forgotten ones included
    std::set<lease_id> forgotten_;  // leases with answers that the database does not know
    outages_by_series sums_;
    std::string told_;
};

}  // namespace gapless
