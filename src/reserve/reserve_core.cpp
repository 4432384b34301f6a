#include "reserve/reserve_core.hpp"

#include "base/contract.hpp"

#include <algorithm>
#include <cstring>
#include <ranges>
#include <utility>

namespace gapless {

namespace {

using namespace std::chrono_literals;

/// More than leap seconds and NTP slewing cause, less than a lease is worth.
constexpr std::chrono::nanoseconds clocks_part_max = 1s;

refusal only_database(std::string why)
{
    return unavailable(
        trouble_kind::disconnected,
        std::move(why) + "; repeat the request when the database is back"
    );
}

std::string reserve_of(std::int32_t series_id)
{
    return "the reserve of series " + std::to_string(series_id);
}

refusal in_doubt(std::string why)
{
    return {
        refusal_kind::outcome_unknown,
        std::move(why) + "; repeat the request with the same key when the database is back"};
}

bool have_parted(reserve_time const& one, reserve_time const& other) noexcept
{
    auto const real = other.real - one.real;
    auto const boot = other.boot - one.boot;
    return real - boot > clocks_part_max || boot - real > clocks_part_max;
}

}  // namespace

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
        // So far back, the database's clock was ahead before, as in gapless.next_moment.
        if (told_ > now + std::chrono::hours{1})
            told_ = now;
    }
    for (auto& one : leases_ | std::views::values)
    {
        if (one.sent.boot > sent.boot)
            continue;  // granted after the request was sent
        auto const word = std::ranges::find(words, one.grant.lease, &lease_word::lease);
        if (word == words.end())
        {
            one.status = lease_status::lost;
            continue;
        }
        // A lease that ended here stays ended.
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
        note_settled(unsettled_.front().left);
}

void reserve_core::settled(lease_id const& id, std::uint64_t sequence)
{
    auto const end =
        std::ranges::upper_bound(unsettled_, sequence, {}, &unsettled_answer::sequence);
    auto const rest = std::remove_if(unsettled_.begin(), end, [&](unsettled_answer const& one) {
        if (one.lease != id)
            return false;
        note_settled(one.left);
        return true;
    });
    unsettled_.erase(rest, end);
}

void reserve_core::note_settled(lease_left const& left)
{
    keys_.settled(left.owner_id, left.key);
    if (!earlier_.empty())
        earlier_.erase({left.owner_id, left.key});
}

void reserve_core::flushed(std::uint64_t sequence) noexcept
{
    flushed_ = std::max(flushed_, sequence);
}

void reserve_core::note_journal(std::string trouble)
{
    // Records that no file got are in memory only until settled, even if the next file is writable.
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
    {
        keys_.note(asked, *outcome);
        doubtful_.erase(name);
    }
    else if (outcome.error().kind == refusal_kind::outcome_unknown)
    {
        if (doubtful_.size() < keys_max_)
            doubtful_.insert(name);
        else if (!doubtful_.contains(name))
            forgot_doubts_ = true;
    }
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

std::optional<refusal> reserve_core::obstacle(std::int32_t series_id, reserve_time now) const
{
    if (!journal_trouble_.empty())
        return only_database(reserve_of(series_id) + " cannot be drawn on: " + journal_trouble_);
    if (forgot_doubts_)
        return only_database(
            reserve_of(series_id) +
            " cannot be drawn on: more keys are in doubt than are remembered (reserve_keys_max)"
        );
    auto const* const drawn_on = open_lease(series_id);
    if (!drawn_on)
        return only_database(
            "series " + std::to_string(series_id) +
            " has no reserve on this instance, and the database cannot be asked"
        );
    if (drawn_on->fenced)
        return refusal{
            refusal_kind::fenced,
            reserve_of(series_id) + " is not drawn on: the database was fenced when it was last "
                                    "asked; see: gapless epoch show"};
    if (drawn_on->paused)
        return refusal{
            refusal_kind::series_paused,
            reserve_of(series_id) + " is not drawn on: an operator paused the series"};
    if (!contact_)
        return only_database(
            reserve_of(series_id) + " is not drawn on: the database was not asked for its time yet"
        );
    auto const passed = now.boot - drawn_on->sent.boot;
    if (passed < 0ns || have_parted(drawn_on->sent, now))
        return only_database(
            reserve_of(series_id) + " is not drawn on: the clock of this machine was set, or the "
                                    "machine was paused, since the database was last asked"
        );
    if (passed >= drawn_on->draw_for)
        return only_database(
            reserve_of(series_id) +
            " was drawn on for its lease time, which is over, and the database cannot be asked"
        );
    if (drawn_on->drawn == drawn_on->grant.count)
        return only_database(
            reserve_of(series_id) + " is used up, and the database cannot be asked"
        );
    return std::nullopt;
}

bool reserve_core::is_on_disk(issue_request const& asked) const noexcept
{
    for (auto const& one : unsettled_ | std::views::reverse)
    {
        if (one.sequence <= flushed_)
            break;
        if (one.left.owner_id == asked.owner_id && one.left.key == asked.key)
            return false;
    }
    return !earlier_.contains({asked.owner_id, asked.key});
}

std::optional<refusal> reserve_core::key_obstacle(issue_request const& asked) const
{
    key_name const name{asked.owner_id, asked.key};
    if (under_way_.contains(name) || doubtful_.contains(name))
        return in_doubt(
            "a request with this key was with the database when it was lost, which may have issued "
            "its numbers"
        );
    if (asked.hold_seconds)
        return only_database("the database cannot be asked, and a reserve sets no numbers aside");
    if (asked.contiguous)
        return only_database(
            "the database cannot be asked, and a reserve promises no contiguous numbers"
        );
    if (earlier_.contains(name))
        return only_database(
            "this key was answered from the reserve before, and only the database can say with what"
        );
    return std::nullopt;
}

std::variant<drawn_answer, issuance, refusal> reserve_core::draw(
    issue_request const& asked, reserve_time now
)
{
    auto known = keys_.find(asked);
    if (auto* const why = std::get_if<refusal>(&known))
        return std::move(*why);
    if (auto* const again = std::get_if<issuance>(&known))
    {
        if (!is_on_disk(asked))
            return in_doubt("the numbers of this key are not on the disk yet");
        return std::move(*again);
    }
    if (std::holds_alternative<answered_keys::not_repeatable>(known))
        return only_database("this key was answered before, and only the database can say with what"
        );
    if (auto why = key_obstacle(asked))
        return std::move(*why);
    if (keys_.is_full_of_drawn())
        return only_database(
            "this instance answers no more keys in an outage than it remembers (reserve_keys_max)"
        );
    if (auto why = obstacle(asked.series_id, now))
        return std::move(*why);
    auto& drawn_on = leases_.find(asked.series_id)->second;
    if (auto const rest = drawn_on.grant.count - drawn_on.drawn; asked.count > rest)
        return only_database(
            reserve_of(asked.series_id) + " has " + std::to_string(rest) + " numbers remaining, " +
            std::to_string(asked.count) + " were requested, and the database cannot be asked"
        );
    return take(drawn_on, asked, now);
}

drawn_answer reserve_core::take(lease& from, issue_request const& asked, reserve_time now)
{
    ensure(asked.count >= 1, "a request asks for numbers");
    auto const ordinal = from.grant.ordinal + from.drawn;
    drawn_answer drawn;
    drawn.sequence = next_sequence_++;
    drawn.answer.series_id = asked.series_id;
    drawn.answer.epoch = from.grant.epoch;
    drawn.answer.issued_at = database_now(now);
    drawn.answer.ranges = {
        {.block_id = from.grant.block_id,
         .count = asked.count,
         .serial = from.grant.serial + from.drawn,
         .ordinal = ordinal}};
    drawn.answer.reference = asked.reference;
    drawn.answer.reserve = true;
    drawn.note = {
        .lease = from.grant.lease,
        .left = {
            .ordinal = ordinal,
            .count = asked.count,
            .owner_id = asked.owner_id,
            .key = asked.key,
            .reference = asked.reference,
            .answered_at = drawn.answer.issued_at}};
    from.drawn += asked.count;
    ensure(from.drawn <= from.grant.count, "a lease is not drawn on beyond its numbers");
    unsettled_.push_back({drawn.sequence, drawn.note.lease, drawn.note.left});
    keys_.note_drawn(asked, drawn.answer);
    return drawn;
}

// What other parts ask the reserve: which leases it has, and what was drawn.

std::optional<result<issuance>> reserve_core::find_drawn(issue_request const& asked) const
{
    auto const is_asked = [&](unsettled_answer const& one) {
        return one.left.owner_id == asked.owner_id && one.left.key == asked.key;
    };
    auto known = keys_.find(asked);
    if (auto* const answer = std::get_if<issuance>(&known))
    {
        if (!is_on_disk(asked))
            return refusal{
                refusal_kind::outcome_unknown,
                "the numbers of this key are not on the disk yet; repeat with the same key"};
        return std::move(*answer);
    }
    if (auto* const why = std::get_if<refusal>(&known);
        why && std::ranges::any_of(unsettled_, is_asked))
        return std::move(*why);
    return std::nullopt;
}

std::vector<std::int32_t> reserve_core::series() const
{
    std::vector<std::int32_t> all;
    for (auto const& [series_id, one] : leases_)
        if (one.status == lease_status::open)
            all.push_back(series_id);
    return all;
}

std::vector<lease_grant> reserve_core::grants() const
{
    std::vector<lease_grant> all;
    for (auto const& one : leases_ | std::views::values)
        all.push_back(one.grant);
    return all;
}

std::int32_t reserve_core::series_of(lease_id const& id) const noexcept
{
    for (auto const& [series_id, one] : leases_)
        if (one.grant.lease == id)
            return series_id;
    return 0;
}

void reserve_core::forget_leases()
{
    leases_.clear();
    for (auto const& one : unsettled_)
        keys_.settled(one.left.owner_id, one.left.key);
    unsettled_.clear();
    earlier_.clear();
}

}  // namespace gapless
