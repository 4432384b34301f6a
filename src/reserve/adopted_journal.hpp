#pragma once

#include "reserve/outage_sums.hpp"
#include "reserve/reserve_steps.hpp"

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gapless {

/// Progress with a journal that another process left behind.
struct adoption
{
    bool done{};               // nothing left to do; the file is retired, unless it is a copy
    std::int64_t settled{};    // answers, in this call
    std::int64_t returned{};   // numbers, in this call
    std::string waits{};       // why it is not done: an operator has to act
    outages_by_series told{};  // the totals, once everything that can be is settled
};

/// A journal of leases that a process left behind: this instance before a restart, or another
/// instance. Its answers are settled, and unused numbers returned where that is safe. A file that
/// is a copy, is damaged, or predates the host's last boot is settled as far as it can be read, but
/// nothing of it is returned: the original, or the lost part, may have drawn more. Its leases wait
/// for an operator. So does a damaged file, whose leases may not all be known, a file without a
/// secret that the database accepts, and any answer from a lease that the database has forgotten.
/// Used on one database thread at a time.
class adopted_journal
{
public:
    explicit adopted_journal(std::unique_ptr<lease_journal> file);

    /// Continues for a bounded time. Safe to repeat. Throws lease_journal_failure.
    result<adoption> go_on(pqxx::connection& connection, journal* marks);

    std::string const& file() const noexcept { return file_; }

    instance_identity const& who() const noexcept { return who_; }

    /// Whether `text` differs from what was last said of this file. I/O thread only.
    bool is_news(std::string const& text);

    /// Owners and keys of what was settled since the last call; not while go_on() runs.
    using owned_key = std::pair<std::int32_t, idempotency_key>;
    std::vector<owned_key> take_recorded() { return std::exchange(recorded_, {}); }

    /// True once the database knows all its answers.
    bool is_settled() const noexcept { return unsettled() == 0; }

    /// How many of its answers the database does not know. Any thread.
    std::size_t unsettled() const noexcept { return unsettled_count_; }

private:
    static std::unique_ptr<journal_writer> write_to(std::unique_ptr<lease_journal> file);
    result<void> claim(pqxx::connection& connection);
    result<bool> settle(pqxx::connection& connection, journal* marks, adoption& done);
    result<bool> give_back(pqxx::connection& connection, adoption& done);
    result<std::int32_t> find_series(pqxx::connection& connection, lease_id const& lease);
    void drop(settling const& what);
    void count_settled(settling const& what, std::vector<settled_record> const& outcomes);

    lease_journal_content content_;
    std::unique_ptr<journal_writer> writer_;  // null: could not be opened again
    std::string file_;
    instance_identity who_;
    lease_id claim_;
    bool claimed_{};
    bool only_settles_{};
    std::deque<unsettled_answer> unsettled_;  // without forgotten ones
    std::atomic<std::size_t> unsettled_count_;
    std::vector<owned_key> recorded_;
    std::set<lease_id> locked_;       // since the last look at all; the others come first
    std::optional<refusal> trouble_;  // of the last of them
    std::set<lease_id> forgotten_;    // leases with answers that the database does not know
    outages_by_series sums_;
    std::string told_;
};

}  // namespace gapless
