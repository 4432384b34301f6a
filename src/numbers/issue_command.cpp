#include "base/limits.hpp"
#include "base/moment.hpp"
#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "formats/find_series.hpp"
#include "numbers/commands.hpp"
#include "numbers/issuance_json.hpp"
#include "numbers/issuance_store.hpp"
#include "numbers/settled_issuance.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <fmt/format.h>
#include <random>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct issue_options
{
    std::string series;
    std::string count{"1"};
    std::optional<std::string> key;  // none: generate one
    std::string reference;
    std::string hold;
};

constexpr std::array issued_columns{
    column{.key = "number", .number = true}, column{.key = "ordinal", .number = true}};

/// Makes a UUID of version 7. Every call has a key, so that it can be repeated if its outcome is
/// unknown.
std::string make_key()
{
    using namespace std::chrono;
    std::random_device dice;
    auto const milliseconds_now = static_cast<std::uint64_t>(
        duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count()
    );
    return fmt::format(
        "{:08x}-{:04x}-7{:03x}-{:04x}-{:04x}{:08x}",
        milliseconds_now >> 16 & 0xFFFFFFFFU,
        milliseconds_now & 0xFFFFU,
        dice() & 0xFFFU,
        (dice() & 0x3FFFU) | 0x8000U,
        dice() & 0xFFFFU,
        dice()
    );
}

std::string const still_unknown{"it is still not known: "};

/// What was issued, and from which series.
struct taken
{
    issuance issued;
    series_entry series;
};

void print(command_context& context, taken const& shown)
{
    if (context.options().output == output_format::json)
    {
        std::string text;
        append_issuance(shown.series, shown.issued, listing::all, text);
        return context.print(json::parse(text), {});
    }
    auto const& issued = shown.issued;
    auto const& format = shown.series.format;

    std::string lines;
    auto rows = json::array();
    for (auto const& range : issued.ranges)
    {
        format.append_numbers(range.serial, range.count, {"", "\n", ""}, lines);
        if (context.options().output == output_format::csv)
            for (std::int64_t n = 0; n < range.count; ++n)
                rows.push_back(
                    {{"number", format.to_number(range.serial + n)},
                     {"ordinal", std::to_string(range.ordinal + n)}}
                );
    }
    if (context.options().output == output_format::csv)
        context.print_list(rows, issued_columns);
    else
        context.print_text(lines);
}

std::optional<std::int32_t> read_hold(std::string const& text)
{
    if (text.empty())
        return std::nullopt;
    auto const seconds = read_integer(text, 1, hold_seconds_max);
    if (seconds.has_error())
        throw usage_error("--hold: " + seconds.error().detail);
    return static_cast<std::int32_t>(*seconds);
}

void say_hold(command_context const& context, issuance const& issued)
{
    std::string id;
    append_id(issued, id);
    context.say(fmt::format(
        "held until {}; to keep them: gapless hold confirm {}",
        to_rfc3339(issued.issued_at + std::chrono::seconds{issued.hold_seconds.value_or(0)}),
        id
    ));
}

/// Tells what a repeated key no longer has, since the numbers printed are not all; and whether they
/// were issued, and for how long.
void say_more(command_context const& context, taken const& shown)
{
    for (auto const& run : list_gone(shown.issued, shown.series.format))
        context.say("gone: " + to_text(run));
    if (context.options().dry_run)
        context.say(
            shown.issued.replayed ? "dry run: these numbers were issued before, under this key"
                                  : "dry run: these numbers were not issued"
        );
    else if (state_of(shown.issued) == "held")
        say_hold(context, shown.issued);
}

exit_code run(command_context& context, issue_options const& wants)
{
    auto const count = read_integer(wants.count, 1, count_max);
    if (count.has_error())
        throw usage_error("--count: " + count.error().detail);
    auto const reference = read_reference(wants.reference);
    if (reference.has_error())
        throw usage_error("--reference: " + reference.error().detail);
    auto const key = wants.key ? *wants.key : make_key();
    auto const hold = read_hold(wants.hold);
    auto const work = [&](pqxx::transaction_base& transaction) -> result<taken> {
        auto issued = issue_numbers(transaction, wants.series, *count, key, *reference, hold);
        if (issued.has_error())
            return issued.error();
        auto series = cases::find_series{wants.series}.run(transaction);
        if (series.has_error())
            return series.error();
        return taken{std::move(*issued), std::move(*series)};
    };
    auto const repeat = fmt::format(
        "gapless issue {} --count {}{}{} --key {}",
        to_shell_word(wants.series),
        *count,
        hold ? fmt::format(" --hold {}", *hold) : "",
        *reference ? " --reference " + to_shell_word(**reference) : "",
        to_shell_word(key)
    );
    auto outcome = context.issue(work);
    auto const is = [&](auto... kinds) {
        return outcome.has_error() && ((outcome.error().kind == kinds) || ...);
    };
    using enum refusal_kind;
    if (is(outcome_unknown))
    {
        context.say(
            "it is not known whether the numbers were issued; the same key tells:\n  " + repeat
        );
        try
        {
            // On a fresh connection the request finds its numbers or takes them now.
            context.reconnect();
            outcome = context.issue(work);
        }
        catch (command_failed const& failure)
        {
            throw command_failed{exit_code::failure, still_unknown + failure.what()};
        }
        // Other refusals come after the series was locked, so the first try is over.
        if (is(outcome_unknown, database_unavailable, overloaded, fenced))
            throw command_failed{exit_code::failure, still_unknown + outcome.error().detail};
    }
    auto const shown = value_of(std::move(outcome));
    if (shown.issued.ranges.empty())
        throw to_failure(refuse_settled(shown.issued, shown.series.format));
    try
    {
        print(context, shown);
    }
    catch (output_failed const& error)
    {
        if (context.options().dry_run)
            throw;
        throw command_failed{
            exit_code::failure,
            fmt::format(
                "{}\n  the numbers were issued; to see them again: {}", error.what(), repeat
            )};
    }
    say_more(context, shown);
    return exit_code::ok;
}

parameters issue_parameters(issue_options& into)
{
    static auto const count_help = fmt::format("How many numbers, 1 to {}; default: 1", count_max);
    return {
        {.name = "SERIES", .into = &into.series, .help = "Name of the series", .required = true},
        {.name = "--count", .into = &into.count, .help = count_help, .value = "N"},
        {.name = "--key",
         .into = &into.key,
         .help = "Idempotency key, one for each parcel: repeating it repeats the answer",
         .value = "KEY"},
        {.name = "--reference",
         .into = &into.reference,
         .help = "What the numbers are for: an order, a shipment",
         .value = "TEXT"},
        {.name = "--hold",
         .into = &into.hold,
         .help = "Keep them for so long, until they are confirmed",
         .value = "SECONDS"},
    };
}

}  // namespace

noun issue_command()
{
    return {
        .name = "issue",
        .summary = "Take the next numbers of a series",
        .verbs = {verb_of<issue_options>{
            .footer =
                "Prints one number a line. Keys belong to the database role that connects. A "
                "repeated key prints the\nnumbers that are still its own; standard error lists "
                "those that are gone.",
            .takes = issue_parameters,
            .run = run}}};
}

}  // namespace gapless::cli
