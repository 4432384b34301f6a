#include "notices/notice_facts.hpp"
#include "notices/notice_words.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gapless {

namespace in_german {

namespace {

using words::german;
using sentence = std::string (*)(notice_facts const&);

std::string grouped(notice_facts const& facts, char const* member)
{
    return words::to_grouped(facts.text(member), german);
}

std::string day(notice_facts const& facts, std::chrono::sys_days which)
{
    return words::to_day(which, facts.year(), german);
}

/// "1 Nummer wurde", "120 Nummern wurden"
std::string numbers_were(notice_facts const& facts)
{
    auto const remaining = grouped(facts, "remaining");
    return remaining == "1" ? "1 Nummer wurde" : remaining + " Nummern wurden";
}

/// "dhl-paket: Block 2 (4901 bis 4999) …"
std::string of_block(notice_facts const& facts, std::string_view what)
{
    return fmt::format(
        "{}: Block {} ({} bis {}) {}",
        facts.series(),
        facts.text("block"),
        facts.text("first"),
        facts.text("last"),
        what
    );
}

std::string block_opened(notice_facts const& facts)
{
    return of_block(facts, "geöffnet, noch " + grouped(facts, "remaining"));
}

std::string block_exhausted(notice_facts const& facts)
{
    return of_block(facts, "aufgebraucht");
}

std::string block_expired(notice_facts const& facts)
{
    return of_block(facts, fmt::format("abgelaufen; {} nicht ausgegeben", numbers_were(facts)));
}

std::string block_loaded(notice_facts const& facts)
{
    return of_block(facts, "geladen, noch " + grouped(facts, "remaining"));
}

std::string block_closed(notice_facts const& facts)
{
    return of_block(facts, fmt::format("geschlossen; {} nicht ausgegeben", numbers_were(facts)));
}

std::string block_recalled(notice_facts const& facts)
{
    return of_block(
        facts,
        fmt::format(
            "zurückgerufen, der Paketdienst lehnt ihn ab; {} nicht ausgegeben", numbers_were(facts)
        )
    );
}

std::string series_no_successor(notice_facts const& facts)
{
    return fmt::format(
        "{}: noch {} in Block {}, und dahinter steht kein Block",
        facts.series(),
        grouped(facts, "remaining"),
        facts.text("block")
    );
}

std::string series_low(notice_facts const& facts)
{
    return fmt::format(
        "{}: noch {}, weniger als der Meldebestand von {}",
        facts.series(),
        grouped(facts, "remaining"),
        grouped(facts, "low_water")
    );
}

/// ", reicht bis 3.–5. Dezember": when the numbers will be exhausted, as far as known.
std::string until(notice_facts const& facts)
{
    auto const from = facts.day("exhausted_from");
    auto const to = facts.day("exhausted_to");
    if (!from)
        return {};
    if (!to)
        return fmt::format(", reicht mindestens bis {}", day(facts, *from));
    return ", reicht bis " + words::to_days(*from, *to, facts.year(), german);
}

std::string series_order_by(notice_facts const& facts)
{
    auto const latest = facts.day("order_by");
    auto const lead = facts.text("lead_days");
    return fmt::format(
        "{}: noch {}{}; bestellen bis {} (Lieferzeit {} {})",
        facts.series(),
        grouped(facts, "remaining"),
        until(facts),
        latest ? day(facts, *latest) : "sofort",
        lead,
        lead == "1" ? "Tag" : "Tage"
    );
}

std::string series_exhausted(notice_facts const& facts)
{
    return facts.series() + ": keine Nummern mehr; einen Block laden";
}

std::string series_paused(notice_facts const& facts)
{
    return fmt::format("{}: angehalten von {}", facts.series(), facts.text("actor"));
}

std::string fence_raised(notice_facts const& facts)
{
    return "Es werden keine Nummern ausgegeben: " + facts.text("reason");
}

std::string verify_finding(notice_facts const& facts)
{
    auto const findings = grouped(facts, "findings");
    return fmt::format(
        "gapless verify hat {} {}: nicht lückenlos",
        findings,
        findings == "1" ? "Befund" : "Befunde"
    );
}

std::string token_expires(notice_facts const& facts)
{
    auto const& last = facts.told().data_day;
    return fmt::format(
        "Token {} von „{}“ läuft am {} ab",
        facts.text("token"),
        facts.text("name"),
        last ? day(facts, *last) : facts.text("expires_at")
    );
}

/// ", 2 Schlüssel doppelt beantwortet": for a counting member that is not 0.
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
        "{}: {} {} aus der Reserve ausgegeben, als die Datenbank fehlte, {} zurückgegeben{}{}{}",
        facts.series(),
        issued,
        issued == "1" ? "Nummer wurde" : "Nummern wurden",
        grouped(facts, "returned"),
        also(facts, "answered_twice", "Schlüssel doppelt", "Schlüssel doppelt"),
        also(facts, "tokens_revoked", "Token widerrufen", "Tokens widerrufen"),
        also(facts, "in_doubt", "Anfrage im Zweifel", "Anfragen im Zweifel")
    );
}

std::string lease_overdue(notice_facts const& facts)
{
    auto const numbers = grouped(facts, "numbers");
    auto const& last = facts.told().data_day;
    return fmt::format(
        "{}: {} {} an {} verliehen und überfällig; letzter Kontakt {}",
        facts.series(),
        numbers,
        numbers == "1" ? "Nummer ist" : "Nummern sind",
        facts.text("host"),
        last ? "am " + day(facts, *last) : facts.text("contact")
    );
}

std::string webhook_test(notice_facts const&)
{
    return "Ein Test des Webhooks";
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

}  // namespace in_german

std::string to_german(notice_facts const& facts)
{
    auto const found = std::ranges::find(in_german::rows, facts.told().kind, &in_german::row::kind);
    return found == in_german::rows.end() ? facts.told().kind : found->say(facts);
}

}  // namespace gapless
