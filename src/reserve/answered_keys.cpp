#include "reserve/answered_keys.hpp"

#include "base/contract.hpp"
#include "base/moment.hpp"

#include <bit>
#include <cstring>
#include <functional>
#include <random>
#include <string_view>

namespace gapless {

namespace {

constexpr std::size_t keys_max_max = std::size_t{1} << 30;

/// The last step of splitmix64: every bit of the result depends on every bit of the value.
constexpr std::uint64_t mixed(std::uint64_t value) noexcept
{
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return value ^ value >> 31;
}

std::uint64_t random_seed()
{
    std::random_device source;
    return std::uint64_t{source()} << 32 | source();
}

}  // namespace

answered_keys::answered_keys(std::size_t keys_max) : keys_max_{keys_max}, seed_{random_seed()}
{
    ensure(keys_max >= 1 && keys_max <= keys_max_max, "at least one key is known");
}

std::size_t answered_keys::hash_of(std::int32_t owner_id, idempotency_key const& key) const noexcept
{
    std::uint64_t halves[2];
    static_assert(sizeof halves == sizeof key.bytes);
    std::memcpy(halves, key.bytes.data(), sizeof halves);
    auto hash = mixed(seed_ ^ static_cast<std::uint32_t>(owner_id));
    hash = mixed(hash ^ halves[0]);
    return mixed(hash ^ halves[1]);
}

std::uint64_t answered_keys::hash_of(std::optional<std::string> const& reference) const noexcept
{
    if (!reference)
        return 0;
    auto const hash = mixed(seed_ ^ std::hash<std::string_view>{}(*reference));
    return hash == 0 ? 1 : hash;
}

std::size_t answered_keys::slot_of(std::int32_t owner_id, idempotency_key const& key) const noexcept
{
    auto const mask = index_.size() - 1;
    auto slot = hash_of(owner_id, key) & mask;
    while (index_[slot] != 0)
    {
        auto const& one = answers_[index_[slot] - 1];
        if (one.owner_id == owner_id && one.key == key)
            break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

/// Later entries move up if they could not be found any more.
void answered_keys::empty_slot(std::size_t slot) noexcept
{
    auto const mask = index_.size() - 1;
    for (auto next = (slot + 1) & mask; index_[next] != 0; next = (next + 1) & mask)
    {
        auto const& one = answers_[index_[next] - 1];
        auto const home = hash_of(one.owner_id, one.key) & mask;
        if (((next - home) & mask) < ((next - slot) & mask))
            continue;
        index_[slot] = index_[next];
        slot = next;
    }
    index_[slot] = 0;
}

answered_keys::answer& answered_keys::answer_for(std::int32_t owner_id, idempotency_key const& key)
{
    if (index_.empty())
        index_.resize(std::bit_ceil(2 * keys_max_));
    auto slot = slot_of(owner_id, key);
    if (index_[slot] != 0)
        return answers_[index_[slot] - 1];
    auto at = answers_.size();
    if (at < keys_max_)
        answers_.emplace_back();
    else
    {
        at = oldest_;
        oldest_ = (oldest_ + 1) % keys_max_;
        empty_slot(slot_of(answers_[at].owner_id, answers_[at].key));
        slot = slot_of(owner_id, key);  // entries moved
    }
    index_[slot] = static_cast<place>(at + 1);
    return answers_[at];
}

bool answered_keys::is_full_of_drawn() const noexcept
{
    return answers_.size() == keys_max_ && answers_[oldest_].drawn;
}

answered_keys::answer& answered_keys::fill(issue_request const& asked, issuance const& answered)
{
    auto const range = answered.ranges.empty() ? issued_range{} : answered.ranges.front();
    auto& kept = answer_for(asked.owner_id, asked.key);
    kept = {
        .key = asked.key,
        .owner_id = asked.owner_id,
        .series_id = asked.series_id,
        .ordinal = range.ordinal,
        .serial = range.serial,
        .issued_at = answered.issued_at,
        .reference = hash_of(asked.reference),
        .count = asked.count,
        .block_id = range.block_id,
        .epoch = answered.epoch,
        .turn = range.turn,
        .hold_seconds = asked.hold_seconds.value_or(0),
        .contiguous = asked.contiguous};
    return kept;
}

void answered_keys::note(issue_request const& asked, issuance const& answered)
{
    fill(asked, answered);
}

void answered_keys::note_drawn(issue_request const& asked, issuance const& answered)
{
    ensure(answered.ranges.size() == 1 && !asked.hold_seconds, "one plain range is drawn");
    fill(asked, answered).drawn = true;
}

void answered_keys::settled(std::int32_t owner_id, idempotency_key const& key) noexcept
{
    if (index_.empty())
        return;
    if (auto const slot = slot_of(owner_id, key); index_[slot] != 0)
        answers_[index_[slot] - 1].drawn = false;
}

answered_keys::verdict answered_keys::find(issue_request const& asked) const
{
    auto const slot = index_.empty() ? 0 : slot_of(asked.owner_id, asked.key);
    if (index_.empty() || index_[slot] == 0)
        return unknown{};
    auto const& known = answers_[index_[slot] - 1];
    std::string differs;
    auto const compare = [&differs](bool same, std::string_view name) {
        if (!same)
            differs.append(differs.empty() ? "" : ", ").append(name);
    };
    compare(known.series_id == asked.series_id, "series");
    compare(known.count == asked.count, "count");
    compare(known.reference == hash_of(asked.reference), "reference");
    compare(known.hold_seconds == asked.hold_seconds.value_or(0), "hold");
    compare(known.contiguous == asked.contiguous, "contiguous");
    if (!differs.empty())  // worded as in gapless.key_reused
        return refusal{
            refusal_kind::idempotency_key_reused,
            "the key was spent on another request at " + to_rfc3339(known.issued_at) +
                ", which differs in: " + differs + "; use a new key for a new request"};
    if (!known.drawn)
        return not_repeatable{};
    issuance again;
    again.series_id = known.series_id;
    again.epoch = known.epoch;
    again.issued_at = known.issued_at;
    again.ranges = {
        {.block_id = known.block_id,
         .count = known.count,
         .serial = known.serial,
         .ordinal = known.ordinal,
         .turn = known.turn}};
    again.reference = asked.reference;
    again.replayed = true;
    again.reserve = true;
    return again;
}

}  // namespace gapless
