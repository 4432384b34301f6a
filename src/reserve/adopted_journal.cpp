#include "reserve/adopted_journal.hpp"

#include "postgres/transaction.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gapless {

namespace {

constexpr std::chrono::seconds call_time_max{2};  // well before its deadline

}  // namespace

adopted_journal::adopted_journal(std::unique_ptr<lease_journal> file)
    : content_{file->content()},
      writer_{write_to(std::move(file))},
      file_{writer_->file().string()},
      who_{
          content_.instance,
          content_.incarnation,
          content_.secret ? *content_.secret : make_instance_secret()},
      claim_{content_.claim.value_or(make_lease_id())},
      only_settles_{!content_.original || !content_.same_boot || !content_.damage.empty()},
      unsettled_{content_.unsettled.begin(), content_.unsettled.end()},
      unsettled_count_{unsettled_.size()}
{
    content_.unsettled.clear();
}

std::unique_ptr<journal_writer> adopted_journal::write_to(std::unique_ptr<lease_journal> file)
{
    return std::make_unique<journal_writer>(std::move(file), [](std::uint64_t, std::string const&) {
    });
}

bool adopted_journal::is_news(std::string const& text)
{
    return std::exchange(told_, text) != text;
}

result<adoption> adopted_journal::go_on(pqxx::connection& connection, journal* marks)
{
    if (!writer_ || !writer_->failure().empty())
    {
        // Nothing more is written to a file after a write that failed; a new look at it tells what
        // the disk has.
        writer_.reset();
        auto again = lease_journal::open(file_);
        if (!again)
            return refusal{
                refusal_kind::state_conflict, file_ + ": another instance has it by now"};
        writer_ = write_to(std::move(again));
    }
    adoption done;
    auto const settled = [&]() -> result<bool> {
        if (auto const claimed = claim(connection); claimed.has_error())
            return claimed.error();
        return settle(connection, marks, done);
    }();
    auto const returned = settled && *settled ? give_back(connection, done) : settled;
    if (returned.has_error() && returned.error().kind == refusal_kind::forbidden)
    {
        done.waits =
            "the database does not take its secret, which was lost or is that of a copy; an "
            "administrator settles it: gapless lease recover " +
            file();
        return done;
    }
    if (returned.has_error())
        return returned.error();
    if (settled && *settled)
        done.told = std::exchange(sums_, {});
    if (!*returned)
        return done;
    if (!forgotten_.empty())
    {
        done.waits = "answers were given from lease " + to_text(*forgotten_.begin()) +
                     ", which the database has forgotten; see docs/operations/reserve.md, 'After a "
                     "restore of the database'";
        return done;
    }
    if (!content_.damage.empty())
    {
        done.waits =
            "everything readable is settled, but the journal is damaged: " + content_.damage +
            "; see docs/operations/reserve.md, 'A journal waits'";
        return done;
    }
    writer_->retire();
    done.done = true;
    return done;
}

/// A possible copy is not introduced: the database would then take the original for the copy.
result<void> adopted_journal::claim(pqxx::connection& connection)
{
    if (claimed_ || only_settles_ || content_.incarnation == 0)
        return {};
    auto const claimed = introduce(connection, *writer_, who_, claim_);
    if (claimed.has_error())
        return claimed.error();
    only_settles_ = !claimed->claimed;
    claimed_ = claimed->claimed;
    if (claimed_)
        who_.incarnation = claimed->incarnation;
    return {};
}

/// Returns true once everything is settled.
result<bool> adopted_journal::settle(pqxx::connection& connection, journal* marks, adoption& done)
{
    auto const end = std::chrono::steady_clock::now() + call_time_max;
    for (std::uint64_t after = 0; std::chrono::steady_clock::now() < end;)
    {
        auto next = next_round(unsettled_, after, locked_, content_.next_sequence - 1);
        if (next.leases.empty() && !locked_.empty())
        {
            locked_.clear();  // all others are done
            return *trouble_;
        }
        if (next.leases.empty())
            break;
        for (auto& each : next.leases)
        {
            auto const series_id = find_series(connection, each.lease);
            if (series_id.has_error())
                return series_id.error();
            each.series_id = *series_id;
        }
        // A SETTLED record says that everything before it is settled, too.
        auto const upto = forgotten_.empty() ? next.upto : 0;
        auto const settled =
            settle_answers(connection, who_, next.leases, upto, marks, writer_.get());
        if (settled.has_error())
            return settled.error();
        if (settled->size() == next.leases.size())
            after = next.last;
        for (std::size_t n = 0; n < settled->size(); ++n)
        {
            auto const& each = next.leases[n];
            auto const& outcomes = (*settled)[n];
            if (outcomes.has_value())
            {
                done.settled += static_cast<std::int64_t>(each.records.size());
                unsettled_count_ -= each.records.size();
                for (auto const& record : each.records)
                    recorded_.emplace_back(record.owner_id, record.key);
                count_settled(each, *outcomes);
                drop(each);
            }
            else if (outcomes.error().kind == refusal_kind::not_found)
            {
                forgotten_.insert(each.lease);
                drop(each);
            }
            else
            {
                locked_.insert(each.lease);
                trouble_ = outcomes.error();
            }
        }
    }
    return unsettled_.empty();
}

/// The series of a lease; 0: neither the file nor the database knows it any more.
result<std::int32_t> adopted_journal::find_series(
    pqxx::connection& connection, lease_id const& lease
)
{
    auto const known = content_.series_of.find(lease);
    if (known != content_.series_of.end())
        return known->second;
    auto const open = run_read(connection, [&](auto& transaction) {
        return read_wanted_reserves(transaction, who_);
    });
    if (open.has_error())
        return open.error();
    auto const found = std::ranges::find(*open, lease, &wanted_reserve::lease);
    return content_.series_of[lease] = found == open->end() ? 0 : found->series_id;
}

void adopted_journal::drop(settling const& what)
{
    auto const end =
        std::ranges::upper_bound(unsettled_, what.sequence, {}, &unsettled_answer::sequence);
    auto const rest = std::remove_if(unsettled_.begin(), end, [&](unsettled_answer const& one) {
        return one.lease == what.lease;
    });
    unsettled_.erase(rest, end);
}

/// The original reports the keys that a copy finds known.
void adopted_journal::count_settled(
    settling const& what, std::vector<settled_record> const& outcomes
)
{
    for (std::size_t n = 0; n < outcomes.size(); ++n)
    {
        auto const outcome = outcomes[n].outcome;
        if (outcome == settle_outcome::conflict ||
            (outcome == settle_outcome::known && only_settles_))
            continue;
        auto& sums = sums_[what.series_id];
        sums.settle(what.records[n]);
        sums.answered_twice += outcome == settle_outcome::twice ? 1 : 0;
        sums.owners.insert(what.records[n].owner_id);
    }
}

/// Returns true once every lease has reached its end.
result<bool> adopted_journal::give_back(pqxx::connection& connection, adoption& done)
{
    for (auto next = content_.leases.begin(); next != content_.leases.end();)
    {
        if (forgotten_.contains(next->lease))
        {
            // Nothing reached its end there: leave the file as it is.
        }
        else if (only_settles_)
        {
            auto const ended = is_lease_ended(connection, who_, next->lease);
            if (ended.has_error())
                return ended.error();
            if (!*ended)
            {
                done.waits = "the rest of lease " + to_text(next->lease) +
                             " is not returned: the journal is a copy, damaged, or from before the "
                             "host was started anew; see: gapless lease show";
                return false;
            }
            writer_->append_and_wait(encode(lease_note::returned{next->lease}));
        }
        else
        {
            auto const returned = give_back_lease(connection, who_, next->lease, *writer_);
            if (returned.has_error())
                return returned.error();
            done.returned += *returned;
            if (auto const sums = sums_.find(next->series_id); sums != sums_.end())
                sums->second.returned += *returned;
        }
        next = content_.leases.erase(next);
    }
    return true;
}

}  // namespace gapless
