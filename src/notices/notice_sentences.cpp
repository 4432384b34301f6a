#include "base/text.hpp"
#include "notices/notice_facts.hpp"
#include "notices/notice_words.hpp"
#include "record/operation.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gapless {

namespace {

/// What a kind of notice says. {member} is a member of its data, {#member} the same with its digits
/// in groups, {member:one|more} the word that suits its number, and {+member:one|more} a clause of
/// its own with number and word, left out for 0. value_of() has the names that are no members.
struct wording
{
    std::string_view kind;
    std::string_view english;
    std::string_view german;
};

constexpr std::array wordings{
    wording{
        "block.opened",
        "{series}: block {block} ({first} to {last}) opened, {#remaining} remaining",
        "{series}: Block {block} ({first} bis {last}) geöffnet, noch {#remaining}"},
    wording{
        "block.exhausted",
        "{series}: block {block} ({first} to {last}) exhausted",
        "{series}: Block {block} ({first} bis {last}) aufgebraucht"},
    wording{
        "block.expired",
        "{series}: block {block} ({first} to {last}) expired; "
        "{#remaining} {remaining:number was|numbers were} not issued",
        "{series}: Block {block} ({first} bis {last}) abgelaufen; "
        "{#remaining} {remaining:Nummer wurde|Nummern wurden} nicht ausgegeben"},
    wording{
        "block.loaded",
        "{series}: block {block} ({first} to {last}) loaded, {#remaining} remaining",
        "{series}: Block {block} ({first} bis {last}) geladen, noch {#remaining}"},
    wording{
        "block.closed",
        "{series}: block {block} ({first} to {last}) closed; "
        "{#remaining} {remaining:number was|numbers were} not issued",
        "{series}: Block {block} ({first} bis {last}) geschlossen; "
        "{#remaining} {remaining:Nummer wurde|Nummern wurden} nicht ausgegeben"},
    wording{
        "block.recalled",
        "{series}: block {block} ({first} to {last}) recalled, the carrier rejects it; "
        "{#remaining} {remaining:number was|numbers were} not issued",
        "{series}: Block {block} ({first} bis {last}) zurückgerufen, der Paketdienst lehnt ihn ab; "
        "{#remaining} {remaining:Nummer wurde|Nummern wurden} nicht ausgegeben"},
    wording{
        "series.no_successor",
        "{series}: {#remaining} remaining in block {block}, and no block is queued behind it",
        "{series}: noch {#remaining} in Block {block}, und dahinter steht kein Block"},
    wording{
        "series.low",
        "{series}: {#remaining} remaining, below the low-water mark of {#low_water}",
        "{series}: noch {#remaining}, weniger als der Meldebestand von {#low_water}"},
    wording{
        "series.order_by",
        "{series}: {#remaining} remaining{until}; order by {order_by} "
        "(lead time {lead_days} {lead_days:day|days})",
        "{series}: noch {#remaining}{until}; bestellen bis {order_by} "
        "(Lieferzeit {lead_days} {lead_days:Tag|Tage})"},
    wording{
        "series.exhausted",
        "{series}: no numbers remaining; load a block",
        "{series}: keine Nummern mehr; einen Block laden"},
    wording{"series.paused", "{series}: paused by {actor}", "{series}: angehalten von {actor}"},
    wording{
        "fence.raised",
        "No numbers are issued: {reason}",
        "Es werden keine Nummern ausgegeben: {reason}"},
    wording{
        "verify.finding",
        "gapless verify has {#findings} {findings:finding|findings}: not gapless",
        "gapless verify hat {#findings} {findings:Befund|Befunde}: nicht lückenlos"},
    wording{
        "token.expires",
        "Token {token} of '{name}' expires on {expires_at}",
        "Token {token} von „{name}“ läuft am {expires_at} ab"},
    wording{
        "reserve.settled",
        "{series}: {#issued} {issued:number was|numbers were} issued from the reserve while the "
        "database was away, {#returned} returned"
        "{+answered_twice:key answered twice|keys answered twice}"
        "{+tokens_revoked:token revoked meanwhile|tokens revoked meanwhile}"
        "{+in_doubt:request in doubt|requests in doubt}",
        "{series}: {#issued} {issued:Nummer wurde|Nummern wurden} aus der Reserve ausgegeben, als "
        "die Datenbank fehlte, {#returned} zurückgegeben"
        "{+answered_twice:Schlüssel doppelt|Schlüssel doppelt}"
        "{+tokens_revoked:Token widerrufen|Tokens widerrufen}"
        "{+in_doubt:Anfrage im Zweifel|Anfragen im Zweifel}"},
    wording{
        "lease.overdue",
        "{series}: {#numbers} {numbers:number is|numbers are} on lease at {host}, which should be "
        "back; last contact {contact}",
        "{series}: {#numbers} {numbers:Nummer ist|Nummern sind} an {host} verliehen und "
        "überfällig; letzter Kontakt {contact}"},
    wording{notice_of_test, "A test of the webhook", "Ein Test des Webhooks"}};

/// A language: its notation, its sentences, and its words for days.
struct spoken
{
    words::language const& notation;
    std::string_view wording::*sentence;
    std::string_view until;
    std::string_view until_at_least;
    std::string_view now;
    std::string_view on;
};

constexpr spoken in_english{
    words::english, &wording::english, ", until {}", ", until {} at least", "now", "on "};

constexpr spoken in_german{
    words::german,
    &wording::german,
    ", reicht bis {}",
    ", reicht mindestens bis {}",
    "sofort",
    "am "};

std::string day(notice_facts const& facts, std::chrono::sys_days which, spoken const& by)
{
    return words::to_day(which, facts.year(), by.notation);
}

/// ", until 3–5 December": when the numbers will be exhausted, as far as known.
std::string until(notice_facts const& facts, spoken const& by)
{
    auto const from = facts.day("exhausted_from");
    auto const to = facts.day("exhausted_to");
    if (!from)
        return {};
    if (!to)
        return fmt::format(fmt::runtime(by.until_at_least), day(facts, *from, by));
    return fmt::format(
        fmt::runtime(by.until), words::to_days(*from, *to, facts.year(), by.notation)
    );
}

/// {member}, {#member}, {member:one|more} or {+member:one|more}, without the braces.
std::string value_of_member(notice_facts const& facts, std::string_view name, spoken const& by)
{
    auto const is_grouped = name.starts_with('#');
    auto const is_clause = name.starts_with('+');
    if (is_grouped || is_clause)
        name.remove_prefix(1);
    auto const colon = name.find(':');
    auto text = facts.text(std::string{name.substr(0, colon)});
    auto grouped = to_grouped(text, by.notation.thousands);
    if (is_grouped)
        return grouped;
    if (colon == name.npos)
        return text;
    auto const forms = name.substr(colon + 1);
    auto const bar = forms.find('|');
    auto const form = text == "1" ? forms.substr(0, bar) : forms.substr(bar + 1);
    if (!is_clause)
        return std::string{form};
    return text == "0" || text == "?" ? std::string{} : fmt::format(", {} {}", grouped, form);
}

std::string value_of(notice_facts const& facts, std::string_view name, spoken const& by)
{
    auto const& data_day = facts.told().data_day;
    if (name == "series")
        return facts.series();
    if (name == "until")
        return until(facts, by);
    if (name == "order_by")
    {
        auto const latest = facts.day("order_by");
        return latest ? day(facts, *latest, by) : std::string{by.now};
    }
    if (name == "expires_at" && data_day)
        return day(facts, *data_day, by);
    if (name == "contact" && data_day)
        return std::string{by.on} + day(facts, *data_day, by);
    return value_of_member(facts, name, by);
}

std::string to_sentence(notice_facts const& facts, spoken const& by)
{
    auto const found = std::ranges::find(wordings, facts.told().kind, &wording::kind);
    if (found == wordings.end())
        return facts.told().kind;
    return fill_in((*found).*by.sentence, [&](std::string_view name) {
        return std::optional{value_of(facts, name, by)};
    });
}

}  // namespace

std::string to_english(notice_facts const& facts)
{
    return to_sentence(facts, in_english);
}

std::string to_german(notice_facts const& facts)
{
    return to_sentence(facts, in_german);
}

}  // namespace gapless
