#include "reserve/adopted_journal.hpp"

#include "postgres/transaction.hpp"

#include <algorithm>
#include <utility>

namespace gapless {

namespace {

/// Few enough that a call ends well before its deadline.
constexpr std::size_t chunks_a_call = 5;

}  // namespace

adopted_journal::adopted_journal(std::unique_ptr<lease_journal> file)
    : content_{file->content()},
      writer_{std::make_unique<journal_writer>(
          std::move(file), [](std::uint64_t, std::string const&) {}
      )},
      who_{
          content_.instance,
          content_.incarnation,
          content_.secret ? *content_.secret : make_instance_secret()},
      claim_{content_.claim.value_or(make_lease_id())},
      only_settles_{!content_.original || !content_.same_boot || !content_.damage.empty()}
{
}

std::string adopted_journal::file() const
{
    return writer_->file().string();
}

bool adopted_journal::is_news(std::string const& text)
{
    return std::exchange(told_, text) != text;
}

result<adoption> adopted_journal::go_on(pqxx::connection& connection, journal* marks)
{
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
    auto const& all = content_.unsettled;
    for (std::size_t chunk = 0; chunk < chunks_a_call && settled_ < all.size(); ++chunk)
    {
        settling next{.lease = all[settled_].lease};
        if (auto const known = content_.series_of.find(next.lease);
            known != content_.series_of.end())
            next.series_id = known->second;
        auto end = settled_;
        while (end < all.size() && all[end].lease == next.lease &&
               next.records.size() < settle_records_max)
            next.records.push_back(all[end++].left);
        next.sequence = all[end - 1].sequence;
        // A SETTLED record says that everything before it is settled, too.
        auto* const writer = forgotten_.empty() ? writer_.get() : nullptr;
        auto const settled = settle_answers(connection, who_, next, marks, writer);
        if (settled.has_error() && settled.error().kind == refusal_kind::not_found)
            forgotten_.insert(next.lease);
        else if (settled.has_error())
            return settled.error();
        else
        {
            done.settled += static_cast<std::int64_t>(next.records.size());
            count_settled(next, *settled);
        }
        settled_ = end;
    }
    return settled_ == all.size();
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
        sums.issued += what.records[n].count;
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
