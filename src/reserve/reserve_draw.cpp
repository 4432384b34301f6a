#include "base/contract.hpp"
#include "reserve/reserve_core.hpp"

#include <ranges>
#include <utility>

namespace gapless {

namespace {

using namespace std::chrono_literals;

/// More than leap seconds and the slewing of NTP make, less than a lease is worth.
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

std::optional<refusal> reserve_core::obstacle(std::int32_t series_id, reserve_time now) const
{
    if (!journal_trouble_.empty())
        return only_database(reserve_of(series_id) + " cannot be drawn on: " + journal_trouble_);
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
        if (again->reserve && !is_on_disk(asked))
            return in_doubt("the numbers of this key are not on the disk yet");
        return std::move(*again);
    }
    if (std::holds_alternative<answered_keys::not_repeatable>(known))
        return only_database("this key was answered before, and only the database can say with what"
        );
    if (auto why = key_obstacle(asked))
        return std::move(*why);
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
    keys_.note(asked, drawn.answer);
    return drawn;
}

}  // namespace gapless
