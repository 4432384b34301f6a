#include "invoices/reconciliation.hpp"

#include "base/field_text.hpp"
#include "record/schema.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace gapless {

namespace {

constexpr std::uint64_t steps_between_ticks = 1'024;

constexpr std::array<std::string_view, bill_faults> fault_names{
    "not-of-series",
    "outside-blocks",
    "never-issued",
    "billed-voided",
    "billed-twice",
    "never-billed"};

/// A hint at what a spreadsheet may have done to a number.
std::string spreadsheet_hint(std::string const& number)
{
    if (has_exponent(number))
        return fmt::format("; {}", exponent_advice);
    if (looks_rounded(number))
        return fmt::format("; {}", rounding_advice);
    return {};
}

/// True if both are the same amount of money.
bool agrees(amount const& a, amount const& b) noexcept
{
    return a.whole == b.whole && a.millionths == b.millionths;
}

bool is_credit(amount const& each) noexcept
{
    return each.whole < 0 || each.millionths < 0;
}

amount negated(amount const& each) noexcept
{
    return {-each.whole, -each.millionths, each.decimals};
}

amount sum_of(amount sum, amount const& each)
{
    add(sum, each);
    return sum;
}

/// Visits the runs of elements with the same projection.
template <class Element, class Projection, class Visit>
void for_each_run(std::span<Element> rest, Projection projection, Visit visit)
{
    while (!rest.empty())
    {
        auto const end =
            std::ranges::upper_bound(rest, std::invoke(projection, rest.front()), {}, projection);
        auto const size = static_cast<std::size_t>(end - rest.begin());
        visit(rest.first(size));
        rest = rest.subspan(size);
    }
}

}  // namespace

std::string_view text_of(bill_fault fault) noexcept
{
    return fault_names[static_cast<std::size_t>(fault) - 1];
}

void append_schema(std::string& json, std::type_identity<bill_fault>)
{
    append_enum(json, fault_names);
}

std::int64_t bill_summary::all() const noexcept
{
    return std::accumulate(findings.begin(), findings.end(), std::int64_t{});
}

reconciliation::reconciliation(billed_ledger const& ledger, surroundings around)
    : ledger_{ledger},
      around_{std::move(around)}
{
}

void reconciliation::take_line(invoice_line line)
{
    step();
    using enum invoice_row_kind;
    if (line.kind == title)
    {
        ++summary_.title_lines;
        return;
    }
    if (!line.unread.empty() && ++summary_.amounts_unread == 1)
    {
        summary_.unread_line = line.line;
        summary_.unread_value = line.unread;
    }
    auto const is_sum = [&] {
        return line.charged && summary_.sum &&
               std::ranges::any_of(possible_totals(), [&](amount const& each) {
                   return agrees(*line.charged, each);
               });
    };
    if (line.kind == total || line.kind == tax || (line.kind == bare && is_sum()))
        return take_total(line);
    ++summary_.lines;
    if (std::exchange(section_ends_, false))
    {
        sum_above_section_ = summary_.sum.value_or(amount{});
        section_taxes_ = {};
    }
    if (line.charged)
        summary_.sum = sum_of(summary_.sum.value_or(amount{}), *line.charged);
    auto const number = ledger_.read(line.number);
    if (number.has_error())
        return take(
            {bill_fault::not_of_series,
             line.number,
             line.line,
             line.charged,
             line.number.empty() ? "no number stands in this line"
                                 : number.error().reason + spreadsheet_hint(line.number)}
        );
    summary_.completed += number->what == left_out::nothing ? 0 : 1;
    auto const* const read = &number->read;
    auto const found = ledger_.find(read->serial);
    using enum billed_as;
    billed_.push_back(
        {.as = found.block == nullptr ? outside
               : found.elsewhere      ? elsewhere
               : found.ordinal == 0   ? never_issued
                                      : issued,
         .rounded = looks_rounded(line.number),
         .charged = line.charged ? static_cast<std::uint32_t>(amounts_.size()) : no_amount,
         .place = found.ordinal == 0 ? read->serial : found.ordinal,
         .line = line.line,
         .charge = line.charge}
    );
    if (line.charged)
        amounts_.push_back(*line.charged);
}

/// What a total may state: the section that ends above it, or all lines, without and with taxes.
std::array<amount, 4> reconciliation::possible_totals() const
{
    auto const sum = summary_.sum.value_or(amount{});
    auto const section = sum_of(sum, negated(sum_above_section_));
    return {section, sum_of(section, section_taxes_), sum, sum_of(sum, taxes_)};
}

void reconciliation::take_total(invoice_line const& line)
{
    ++summary_.total_lines;
    if (!line.charged)
        return;
    if (line.kind == invoice_row_kind::tax)
    {
        add(section_taxes_, *line.charged);
        return add(taxes_, *line.charged);
    }
    auto const possible = possible_totals();
    auto const* const found = std::ranges::find_if(possible, [&](amount const& each) {
        return agrees(*line.charged, each);
    });
    auto const is_empty_section = section_ends_ && agrees(*line.charged, {});
    auto const fits = found != possible.end() || is_empty_section;
    if (found < possible.begin() + 2)
        section_ends_ = true;
    else if (!fits && summary_.differing_totals.size() < differing_totals_max)
        summary_.differing_totals.push_back({line.line, *line.charged, possible[2]});
}

void reconciliation::sort_billed()
{
    std::ranges::sort(billed_, {}, [](billed const& each) {
        return std::tuple{each.as, each.place, each.charge, each.line};
    });
}

void reconciliation::finish()
{
    auto const by_number = [](billed const& each) { return std::pair{each.as, each.place}; };
    sort_billed();
    auto dealt = false;
    for_each_run(std::span{billed_}, by_number, [&](auto lines) {
        dealt = deal_uses(lines) || dealt;
    });
    if (dealt)
        sort_billed();
    for_each_run(lines_of_number{billed_}, by_number, [&](auto lines) { take_number(lines); });
    auto const by_line = [](lines_of_number lines) {
        return std::ranges::min(lines, {}, &billed::line).line;
    };
    std::ranges::sort(never_issued_, {}, by_line);
    for (auto const& lines : never_issued_)
    {
        auto const& first = lines.front();
        if (first.as == billed_as::outside)
            take_all(bill_fault::outside_blocks, lines, "in no loaded block of this series");
        else if (first.as == billed_as::never_issued)
            take_all(bill_fault::never_issued, lines, "it was never issued");
        else
            take_all(
                bill_fault::never_issued,
                lines,
                "it is " + std::string{ledger_.state_of(first.place)}
            );
    }
    std::ranges::sort(voided_, {}, by_line);
    find_voided();
    for (auto const& lines : several_)
        find_doubles(lines);
    for (auto const& run : ledger_.states())
        if (run.state == "printed" || run.state == "manifested")
            find_unbilled(run);
}

/// A number that was loaded again may be charged once for each use: deals its charges to them.
/// Returns true if there are several.
bool reconciliation::deal_uses(std::span<billed> lines)
{
    if (lines.size() == 1 || lines.front().as != billed_as::issued)
        return false;
    auto const uses = ledger_.uses_of(lines.front().place);
    if (uses.size() < 2)
        return false;
    auto spare = find_spare_credits(lines);
    for_each_run(lines, &billed::charge, [&](auto same) {
        std::size_t next = 0;
        take_charges(same, spare, [&](billed& each) {
            each.place = uses[std::min(next++, uses.size() - 1)];
        });
    });
    return true;
}

void reconciliation::take_number(lines_of_number lines)
{
    step();
    summary_.several_rows += lines.size() > 1 ? 1 : 0;
    auto const& first = lines.front();
    if (first.as == billed_as::outside || first.as == billed_as::never_issued)
        return never_issued_.push_back(lines);
    summary_.elsewhere += first.as == billed_as::elsewhere ? 1 : 0;
    if (first.as == billed_as::issued)
    {
        auto const state = ledger_.state_of(first.place);
        summary_.outside_period += ledger_.issued_in_period(first.place) ? 0 : 1;
        if (state == "free" || state == "held")
            return never_issued_.push_back(lines);
        if (state == "voided")
            return voided_.push_back(lines);
    }
    if (lines.size() > 1)
        several_.push_back(lines);
}

void reconciliation::take(bill_finding found)
{
    auto const fault = static_cast<std::size_t>(found.fault) - 1;
    ++summary_.findings[fault];
    if (found.charged)
    {
        auto& sum = summary_.charged[fault];
        if (!sum)
            sum.emplace();
        add(*sum, *found.charged);
    }
    around_.take(found);
}

/// Adds one finding for all lines of a number, with their sum.
void reconciliation::take_all(bill_fault fault, lines_of_number lines, std::string detail)
{
    constexpr std::size_t listed_max = 10;
    std::vector<std::size_t> places(lines.size());
    std::ranges::transform(lines, places.begin(), &billed::line);
    std::ranges::sort(places);
    std::optional<amount> sum;
    for (auto const& each : lines)
        if (auto const charged = charged_of(each))
            sum = sum_of(sum.value_or(amount{}), *charged);
    if (lines.size() > 1)
    {
        auto const listed = std::span{places}.first(std::min(places.size(), listed_max));
        detail += fmt::format(
            "; {} lines: {}{}",
            lines.size(),
            fmt::join(listed, ", "),
            lines.size() > listed_max ? " …" : ""
        );
    }
    if (lines.front().rounded)
        detail += fmt::format("; {}", rounding_advice);
    take({fault, name_number(lines.front()), places.front(), sum, std::move(detail)});
}

std::string reconciliation::name_number(billed const& each) const
{
    return each.as == billed_as::issued ? ledger_.number_of(each.place)
                                        : ledger_.format().to_number(each.place);
}

reconciliation::lines_of_number reconciliation::find_billed(std::int64_t ordinal) const
{
    auto const found = std::ranges::equal_range(
        billed_,
        std::pair{billed_as::issued, ordinal},
        {},
        [](billed const& each) {
            return std::pair{each.as, each.place};
        }
    );
    return {found.begin(), found.end()};
}

std::optional<amount> reconciliation::charged_of(billed const& each) const
{
    if (each.charged == no_amount)
        return std::nullopt;
    return amounts_[each.charged];
}

void reconciliation::find_voided()
{
    std::vector<std::int64_t> ordinals;
    for (auto const& each : std::span{voided_}.first(std::min(voided_.size(), replacements_max)))
        ordinals.push_back(each.front().place);
    std::ranges::sort(ordinals);
    std::vector<replaced_number> replaced;
    if (!ordinals.empty())
        replaced = around_.find_replacements(ordinals);
    std::ranges::stable_sort(replaced, {}, &replaced_number::ordinal);
    for (auto const& each : voided_)
        tell_voided(
            each,
            std::ranges::equal_range(replaced, each.front().place, {}, &replaced_number::ordinal)
        );
}

/// The old number and its replacement are reported together, so that a double charge shows at once.
void reconciliation::tell_voided(
    lines_of_number lines, std::span<replaced_number const> replacements
)
{
    step();
    auto const number = name_number(lines.front());
    auto const first_line = std::ranges::min(lines, {}, &billed::line).line;
    std::string detail{"it was voided"};
    std::vector<std::int64_t> unbilled;
    for (auto const& each : replacements)
    {
        auto const also = find_billed(each.replacement);
        auto const state = ledger_.state_of(each.replacement);
        detail += &each == &replacements.front() ? "; replaced by " : ", ";
        detail += fmt::format(
            "{} ({}, {})",
            ledger_.number_of(each.replacement),
            state,
            also.empty() ? "in no line" : fmt::format("in line {}", also.front().line)
        );
        if (also.empty() && (state == "printed" || state == "manifested") &&
            ledger_.issued_in_period(each.replacement) && !told_.contains(each.replacement))
            unbilled.push_back(each.replacement);
    }
    take_all(bill_fault::billed_voided, lines, std::move(detail));
    for (auto const ordinal : unbilled)
    {
        take(
            {bill_fault::never_billed,
             ledger_.number_of(ordinal),
             0,
             {},
             fmt::format(
                 "it is {}; it replaces {} of line {}",
                 ledger_.state_of(ordinal),
                 number,
                 first_line
             )}
        );
        told_.insert(ordinal);
    }
}

/// Whether a line charges for something: it is no credit, and its amount is not zero.
bool reconciliation::is_charge(billed const& each) const
{
    auto const money = charged_of(each);
    return !money || (!is_credit(*money) && !agrees(*money, {}));
}

void reconciliation::count_credits(lines_of_number lines, credits& counted)
{
    for (auto const& each : lines)
    {
        step();
        if (auto const money = charged_of(each); money && is_credit(*money))
            ++counted[{-money->whole, -money->millionths}];
    }
}

/// The credits of a number that are worded otherwise than what they take back ("Gutschrift Paket").
reconciliation::credits reconciliation::find_spare_credits(lines_of_number lines)
{
    credits spare;
    for_each_run(lines, &billed::charge, [&](auto same) {
        if (std::ranges::none_of(same, [this](billed const& each) { return is_charge(each); }))
            count_credits(same, spare);
    });
    return spare;
}

/// Takes what lines of one charge really charge for: not what a credit of the same amount takes
/// back, first one of the same charge, then a spare one.
template <class Line, class Take>
void reconciliation::take_charges(std::span<Line> lines, credits& spare, Take take)
{
    credits own;
    count_credits(lines, own);
    auto const is_taken_back = [](credits& by, amount const& money) {
        auto const found = by.find({money.whole, money.millionths});
        if (found == by.end() || found->second == 0)
            return false;
        --found->second;
        return true;
    };
    for (auto& each : lines)
    {
        if (!is_charge(each))
            continue;
        auto const money = charged_of(each);
        if (!money || !(is_taken_back(own, *money) || is_taken_back(spare, *money)))
            take(each);
    }
}

/// Lines that charge for the same thing are duplicates.
void reconciliation::find_doubles(lines_of_number lines)
{
    auto spare = find_spare_credits(lines);
    for_each_run(lines, &billed::charge, [&](auto same) {
        billed const* last = nullptr;
        take_charges(same, spare, [&](billed const& each) {
            if (last != nullptr)
                take(
                    {bill_fault::billed_twice,
                     name_number(each),
                     each.line,
                     charged_of(each),
                     "also in line " + std::to_string(last->line) +
                         (each.rounded ? fmt::format("; {}", rounding_advice) : "")}
                );
            last = &each;
        });
    });
}

/// Runs come ordered by ordinal, so the billed numbers and the periods are walked only once.
void reconciliation::find_unbilled(state_range const& run)
{
    auto const& periods = ledger_.issued();
    for (auto ordinal = run.first_ordinal; ordinal <= run.last_ordinal; ++ordinal)
    {
        step();
        while (next_period_ < periods.size() && periods[next_period_].last < ordinal)
            ++next_period_;
        if (next_period_ == periods.size())
            return;
        if (ordinal < periods[next_period_].first)
        {
            // Continue at the period, or at the end of the run.
            ordinal = std::min(periods[next_period_].first - 1, run.last_ordinal);
            continue;
        }
        auto const is_issued = [&] {
            return next_billed_ < billed_.size() && billed_[next_billed_].as == billed_as::issued;
        };
        while (is_issued() && billed_[next_billed_].place < ordinal)
            ++next_billed_;
        auto const is_billed = is_issued() && billed_[next_billed_].place == ordinal;
        if (!is_billed && !told_.contains(ordinal))
            take({bill_fault::never_billed, ledger_.number_of(ordinal), 0, {}, "it is " + run.state}
            );
    }
}

void reconciliation::step()
{
    if (++steps_ % steps_between_ticks == 0)
        around_.tick();
}

}  // namespace gapless
