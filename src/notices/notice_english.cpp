#include "notices/notice_facts.hpp"
#include "notices/notice_words.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gapless {

namespace in_english {

namespace {

using words::english;
using sentence = std::string (*)(notice_facts const&);

std::string grouped(notice_facts const& facts, char const* member)
{
    return words::to_grouped(facts.text(member), english);
}

std::string day(notice_facts const& facts, std::chrono::sys_days which)
{
    return words::to_day(which, facts.year(), english);
}

/// "1 number was", "120 numbers were"
std::string numbers_were(notice_facts const& facts)
{
    auto const remaining = grouped(facts, "remaining");
    return remaining == "1" ? "1 number was" : remaining + " numbers were";
}

/// "dhl-paket: block 2 (4901 to 4999) …"
std::string of_block(notice_facts const& facts, std::string_view what)
{
    return fmt::format(
        "{}: block {} ({} to {}) {}",
        facts.series(),
        facts.text("block"),
        facts.text("first"),
        facts.text("last"),
        what
    );
}

std::string block_opened(notice_facts const& facts)
{
    return of_block(facts, fmt::format("opened, {} remaining", grouped(facts, "remaining")));
}

std::string block_exhausted(notice_facts const& facts)
{
    return of_block(facts, "exhausted");
}

std::string block_expired(notice_facts const& facts)
{
    return of_block(facts, fmt::format("expired; {} not issued", numbers_were(facts)));
}

std::string block_loaded(notice_facts const& facts)
{
    return of_block(facts, fmt::format("loaded, {} remaining", grouped(facts, "remaining")));
}

std::string block_closed(notice_facts const& facts)
{
    return of_block(facts, fmt::format("closed; {} not issued", numbers_were(facts)));
}

std::string block_recalled(notice_facts const& facts)
{
    return of_block(
        facts, fmt::format("recalled, the carrier rejects it; {} not issued", numbers_were(facts))
    );
}

std::string series_no_successor(notice_facts const& facts)
{
    return fmt::format(
        "{}: {} remaining in block {}, and no block is queued behind it",
        facts.series(),
        grouped(facts, "remaining"),
        facts.text("block")
    );
}

std::string series_low(notice_facts const& facts)
{
    return fmt::format(
        "{}: {} remaining, below the low-water mark of {}",
        facts.series(),
        grouped(facts, "remaining"),
        grouped(facts, "low_water")
    );
}

/// ", until 3–5 December": when the numbers will be exhausted, as far as known.
std::string until(notice_facts const& facts)
{
    auto const from = facts.day("exhausted_from");
    auto const to = facts.day("exhausted_to");
    if (!from)
        return {};
    if (!to)
        return fmt::format(", until {} at least", day(facts, *from));
    return ", until " + words::to_days(*from, *to, facts.year(), english);
}

std::string series_order_by(notice_facts const& facts)
{
    auto const latest = facts.day("order_by");
    auto const lead = facts.text("lead_days");
    return fmt::format(
        "{}: {} remaining{}; order by {} (lead time {} {})",
        facts.series(),
        grouped(facts, "remaining"),
        until(facts),
        latest ? day(facts, *latest) : "now",
        lead,
        lead == "1" ? "day" : "days"
    );
}

std::string series_exhausted(notice_facts const& facts)
{
    return facts.series() + ": no numbers remaining; load a block";
}

std::string series_paused(notice_facts const& facts)
{
    return fmt::format("{}: paused by {}", facts.series(), facts.text("actor"));
}

std::string fence_raised(notice_facts const& facts)
{
    return "No numbers are issued: " + facts.text("reason");
}

std::string verify_finding(notice_facts const& facts)
{
    auto const findings = grouped(facts, "findings");
    return fmt::format(
        "gapless verify has {} finding{}: not gapless", findings, findings == "1" ? "" : "s"
    );
}

std::string token_expires(notice_facts const& facts)
{
    auto const& last = facts.told().data_day;
    return fmt::format(
        "Token {} of '{}' expires on {}",
        facts.text("token"),
        facts.text("name"),
        last ? day(facts, *last) : facts.text("expires_at")
    );
}

/// ", 2 keys answered twice": for a counting member that is not 0.
std::string also(notice_facts const& facts, char const* member, char const* one, char const* more)
{
    auto const count = grouped(facts, member);
    if (count == "0" || count == "?")
        return {};
    return fmt::format(", {} {}", count, count == "1" ? one : more);
}

std::string reserve_settled(notice_facts const& facts)
{
    auto const issued = grouped(facts, "issued");
    return fmt::format(
        "{}: {} {} issued from the reserve while the database was away, {} returned{}{}{}",
        facts.series(),
        issued,
        issued == "1" ? "number was" : "numbers were",
        grouped(facts, "returned"),
        also(facts, "answered_twice", "key answered twice", "keys answered twice"),
        also(facts, "tokens_revoked", "token revoked meanwhile", "tokens revoked meanwhile"),
        also(facts, "in_doubt", "request in doubt", "requests in doubt")
    );
}

std::string lease_overdue(notice_facts const& facts)
{
    auto const numbers = grouped(facts, "numbers");
    auto const& last = facts.told().data_day;
    return fmt::format(
        "{}: {} {} on lease at {}, which should be back; last contact {}",
        facts.series(),
        numbers,
        numbers == "1" ? "number is" : "numbers are",
        facts.text("host"),
        last ? "on " + day(facts, *last) : facts.text("contact")
    );
}

std::string webhook_test(notice_facts const&)
{
    return "A test of the webhook";
}

struct row
{
    std::string_view kind;
    sentence say;
};

constexpr std::array rows{
    row{"block.opened", block_opened},
    row{"block.exhausted", block_exhausted},
    row{"block.expired", block_expired},
    row{"block.loaded", block_loaded},
    row{"block.closed", block_closed},
    row{"block.recalled", block_recalled},
    row{"series.no_successor", series_no_successor},
    row{"series.low", series_low},
    row{"series.order_by", series_order_by},
    row{"series.exhausted", series_exhausted},
    row{"series.paused", series_paused},
    row{"fence.raised", fence_raised},
    row{"verify.finding", verify_finding},
    row{"token.expires", token_expires},
    row{"reserve.settled", reserve_settled},
    row{"lease.overdue", lease_overdue},
    row{notice_of_test, webhook_test}};

}  // namespace

}  // namespace in_english

std::string to_english(notice_facts const& facts)
{
    auto const found =
        std::ranges::find(in_english::rows, facts.told().kind, &in_english::row::kind);
    return found == in_english::rows.end() ? facts.told().kind : found->say(facts);
}

}  // namespace gapless
