#include "invoices/reconciliation.hpp"

#include "base/field_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace gapless {

namespace {

constexpr std::uint64_t steps_between_ticks = 16'384;

/// What a spreadsheet may have done to a number that cannot be read.
std::string spreadsheet_hint(std::string const& number)
{
    if (has_exponent(number))
        return fmt::format("; {}", exponent_advice);
    if (looks_rounded(number))
        return fmt::format("; {}", rounding_advice);
    return {};
}

}  // namespace

std::string_view name_of(bill_fault fault) noexcept
{
    constexpr std::array<std::string_view, bill_faults> names{
        "not-of-series",
        "outside-blocks",
        "never-issued",
        "billed-voided",
        "billed-twice",
        "never-billed"};
    return names[static_cast<std::size_t>(fault) - 1];
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
    ++summary_.lines;
    summary_.amounts_unread += line.amount_unread ? 1 : 0;
    auto const number = ledger_.read(line.number);
    auto const take_fault = [&](bill_fault fault, std::string number, std::string detail) {
        take({fault, std::move(number), line.line, line.charged, std::move(detail)});
    };
    if (number.has_error())
        return take_fault(
            bill_fault::not_of_series,
            line.number,
            number.error().reason + spreadsheet_hint(line.number)
        );
    summary_.completed += number->what == left_out::nothing ? 0 : 1;
    auto const* const read = &number->read;
    auto const found = ledger_.find(read->serial);
    if (found.block == nullptr)
        return take_fault(bill_fault::outside_blocks, read->number, "in no loaded block");
    if (found.elsewhere)
    {
        ++summary_.elsewhere;
        return take_billed(-1 - read->serial, line);
    }
    if (found.ordinal == 0)
        return take_fault(bill_fault::never_issued, read->number, "it was never issued");
    auto const state = ledger_.state_of(found.ordinal);
    if (state == "free" || state == "held")
        take_fault(bill_fault::never_issued, read->number, "it is " + std::string{state});
    summary_.outside_period += ledger_.issued_in_period(found.ordinal) ? 0 : 1;
    take_billed(found.ordinal, line);
    if (state == "voided")
        voided_.push_back(billed_.back());
}

void reconciliation::take_billed(std::int64_t place, invoice_line const& line)
{
    billed_.push_back({place, line.line, no_amount});
    if (!line.charged)
        return;
    billed_.back().charged = static_cast<std::uint32_t>(amounts_.size());
    amounts_.push_back(*line.charged);
}

void reconciliation::finish()
{
    std::ranges::sort(billed_, {}, [](auto const& each) {
        return std::pair{each.place, each.line};
    });
    find_voided();
    find_doubles();
    for (auto const& run : ledger_.states())
        if (run.state == "printed" || run.state == "manifested")
            find_unbilled(run);
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

std::string reconciliation::name_number(std::int64_t place) const
{
    return place < 0 ? ledger_.format().to_number(-1 - place) : ledger_.number_of(place);
}

reconciliation::billed const* reconciliation::find_billed(std::int64_t ordinal) const
{
    auto const found = std::ranges::lower_bound(billed_, ordinal, {}, &billed::place);
    return found == billed_.end() || found->place != ordinal ? nullptr : &*found;
}

std::optional<amount> reconciliation::charged_of(billed const& each) const
{
    if (each.charged == no_amount)
        return std::nullopt;
    return amounts_[each.charged];
}

void reconciliation::find_voided()
{
    std::vector<std::int64_t> ordinals(std::min(voided_.size(), replacements_max));
    std::transform(
        voided_.begin(),
        voided_.begin() + static_cast<std::ptrdiff_t>(ordinals.size()),
        ordinals.begin(),
        [](auto const& each) { return each.place; }
    );
    std::ranges::sort(ordinals);
    auto const doubles = std::ranges::unique(ordinals);
    ordinals.erase(doubles.begin(), doubles.end());
    std::vector<replaced_number> replaced;
    if (!ordinals.empty())
        replaced = around_.find_replacements(ordinals);
    std::ranges::stable_sort(replaced, {}, &replaced_number::ordinal);
    for (auto const& each : voided_)
        tell_voided(
            each, std::ranges::equal_range(replaced, each.place, {}, &replaced_number::ordinal)
        );
}

/// The old number and what replaced it stand together: what was charged for both is seen at once.
void reconciliation::tell_voided(
    billed const& voided, std::span<replaced_number const> replacements
)
{
    step();
    std::string detail{"it was voided"};
    std::vector<std::int64_t> unbilled;
    for (auto const& each : replacements)
    {
        auto const* const also = find_billed(each.replacement);
        auto const state = ledger_.state_of(each.replacement);
        detail += &each == &replacements.front() ? "; replaced by " : ", ";
        detail += fmt::format(
            "{} ({}, {})",
            name_number(each.replacement),
            state,
            also == nullptr ? "in no line" : fmt::format("in line {}", also->line)
        );
        if (also == nullptr && (state == "printed" || state == "manifested") &&
            ledger_.issued_in_period(each.replacement) && !told_.contains(each.replacement))
            unbilled.push_back(each.replacement);
    }
    take(
        {bill_fault::billed_voided,
         name_number(voided.place),
         voided.line,
         charged_of(voided),
         std::move(detail)}
    );
    for (auto const ordinal : unbilled)
    {
        take(
            {bill_fault::never_billed,
             name_number(ordinal),
             0,
             {},
             fmt::format(
                 "it is {}; it replaces {} of line {}",
                 ledger_.state_of(ordinal),
                 name_number(voided.place),
                 voided.line
             )}
        );
        told_.insert(ordinal);
    }
}

void reconciliation::find_doubles()
{
    for (std::size_t n = 1; n < billed_.size(); ++n)
    {
        step();
        if (billed_[n].place == billed_[n - 1].place)
            take(
                {bill_fault::billed_twice,
                 name_number(billed_[n].place),
                 billed_[n].line,
                 charged_of(billed_[n]),
                 "also in line " + std::to_string(billed_[n - 1].line)}
            );
    }
}

/// Runs come by ordinal, so the billed numbers and the periods are walked once for all of them.
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
            // On to the period, or to the end of the run.
            ordinal = std::min(periods[next_period_].first - 1, run.last_ordinal);
            continue;
        }
        while (next_billed_ < billed_.size() && billed_[next_billed_].place < ordinal)
            ++next_billed_;
        auto const is_billed =
            next_billed_ < billed_.size() && billed_[next_billed_].place == ordinal;
        if (!is_billed && !told_.contains(ordinal))
            take({bill_fault::never_billed, name_number(ordinal), 0, {}, "it is " + run.state});
    }
}

void reconciliation::step()
{
    if (++steps_ % steps_between_ticks == 0)
        around_.tick();
}

}  // namespace gapless
