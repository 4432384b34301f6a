#include "reserve/reserve_core.hpp"

#include "base/contract.hpp"

#include <algorithm>
#include <cstring>
#include <ranges>
#include <utility>

namespace gapless {

std::size_t reserve_core::hash_of_key::operator()(key_name const& one) const noexcept
{
    std::uint64_t halves[2];
    static_assert(sizeof halves == sizeof one.key.bytes);
    std::memcpy(halves, one.key.bytes.data(), sizeof halves);
    auto const owner = static_cast<std::uint32_t>(one.owner_id);
    return (halves[0] * 0x9e3779b97f4a7c15 ^ halves[1]) * 0xbf58476d1ce4e5b9 ^ owner;
}

void reserve_core::keep(
    lease_grant const& grant, reserve_time sent, std::chrono::nanoseconds draw_for
)
{
    ensure(grant.count >= 1 && grant.count <= lease_numbers_max, "a lease has its numbers");
    auto& kept = leases_[grant.series_id];
    if (kept.grant.lease == grant.lease)
    {
        ensure(kept.grant == grant, "a lease is granted once");
        kept.sent = sent;
        kept.draw_for = draw_for;
        return;
    }
    kept = {.grant = grant, .sent = sent, .draw_for = draw_for};
    for (auto const& one : unsettled_)
        if (one.lease == grant.lease)
            kept.drawn = std::max(kept.drawn, one.left.ordinal + one.left.count - grant.ordinal);
    ensure(kept.drawn <= grant.count, "what left from a lease is within it");
}

void reserve_core::renew(std::vector<lease_word> const& words, database_time now, reserve_time sent)
{
    if (!contact_ || contact_->boot <= sent.boot)
    {
        contact_ = sent;
        contact_moment_ = now;
    }
    for (auto& one : leases_ | std::views::values)
    {
        if (one.sent.boot > sent.boot)
            continue;  // granted since the database was asked
        auto const word = std::ranges::find(words, one.grant.lease, &lease_word::lease);
        if (word == words.end())
        {
            one.status = lease_status::lost;
            continue;
        }
        // Whatever ended here stays so.
        if (one.status == lease_status::open)
            one.status = word->status;
        one.sent = sent;
        one.draw_for = word->draw_for;
        one.paused = word->paused;
        one.fenced = word->fenced;
    }
}

void reserve_core::close(lease_id const& id)
{
    for (auto& one : leases_ | std::views::values)
        if (one.grant.lease == id)
            one.status = lease_status::closed;
}

void reserve_core::settled(std::uint64_t sequence)
{
    for (; !unsettled_.empty() && unsettled_.front().sequence <= sequence; unsettled_.pop_front())
        if (!earlier_.empty())
            earlier_.erase({unsettled_.front().left.owner_id, unsettled_.front().left.key});
}

void reserve_core::flushed(std::uint64_t sequence) noexcept
{
    flushed_ = std::max(flushed_, sequence);
}

void reserve_core::note_journal(std::string trouble)
{
    // What a file never got is in memory alone until it is settled, whatever the next file gets.
    if (trouble.empty() && !journal_trouble_.empty())
        for (auto const& one : unsettled_)
            if (one.sequence > flushed_)
                earlier_.insert({one.left.owner_id, one.left.key});
    journal_trouble_ = std::move(trouble);
}

void reserve_core::begin_doubt(issue_request const& asked)
{
    ++under_way_[{asked.owner_id, asked.key}];
}

void reserve_core::end_doubt(issue_request const& asked, result<issuance> const& outcome)
{
    key_name const name{asked.owner_id, asked.key};
    auto const found = under_way_.find(name);
    ensure(found != under_way_.end(), "a request was handed to the database before it ended");
    if (--found->second == 0)
        under_way_.erase(found);
    if (outcome)
        keys_.note(asked, *outcome);
    else if (outcome.error().kind == refusal_kind::outcome_unknown)
        doubtful_.insert(name);
}

reserve_core::lease const* reserve_core::open_lease(std::int32_t series_id) const noexcept
{
    auto const found = leases_.find(series_id);
    return found != leases_.end() && found->second.status == lease_status::open ? &found->second
                                                                                : nullptr;
}

void reserve_core::take_over(std::vector<unsettled_answer> left, std::uint64_t next_sequence)
{
    ensure(unsettled_.empty(), "what an earlier process left is taken over first");
    next_sequence_ = next_sequence;
    flushed_ = next_sequence - 1;
    for (auto& one : left)
    {
        ensure(one.sequence < next_sequence, "sequences go on behind what was taken over");
        earlier_.insert({one.left.owner_id, one.left.key});
        unsettled_.push_back(std::move(one));
    }
}

std::int64_t reserve_core::rest(std::int32_t series_id) const
{
    auto const* const drawn_on = open_lease(series_id);
    return drawn_on ? drawn_on->grant.count - drawn_on->drawn : 0;
}

lease_grant const* reserve_core::lease_of(std::int32_t series_id) const
{
    auto const* const drawn_on = open_lease(series_id);
    return drawn_on ? &drawn_on->grant : nullptr;
}

database_time reserve_core::database_now(reserve_time now) const
{
    auto moment = contact_moment_;
    if (contact_)
        moment += std::chrono::floor<std::chrono::microseconds>(now.boot - contact_->boot);
    told_ = std::max(told_, moment);
    return told_;
}

}  // namespace gapless
