#include "base/field_text.hpp"
#include "base/limits.hpp"
#include "base/written_value.hpp"
#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "cli/progress.hpp"
#include "cli/whole_file.hpp"
#include "proof/commands.hpp"
#include "proof/erasure_store.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <fmt/format.h>

namespace gapless::cli {

namespace {

struct erase_options
{
    std::string series;
    std::string reference;
    std::string before;
    std::string reason;
};

/// So few that a client repeating one of their keys waits for milliseconds only.
constexpr std::int32_t step_rows_max = 1'000;

constexpr std::array erased_columns{
    column{.key = "series"},
    column{.key = "references", .number = true},
    column{.key = "erased", .number = true}};

/// The reference itself; "-" reads it from stdin, to keep it out of process lists.
std::string read_wanted_reference(std::string const& word)
{
    auto text = word;
    if (word == "-")
    {
        text = read_whole_file(word, reference_characters_max * 4 + 2);
        while (text.ends_with('\n') || text.ends_with('\r'))
            text.pop_back();
    }
    auto const read = read_reference(text);
    if (read.has_error())
        throw usage_error("REFERENCE: " + read.error().detail);
    if (!*read)
        throw usage_error("REFERENCE: it is empty");
    return **read;
}

erasable_references read_wanted(erase_options const& wants)
{
    if (wants.reference.empty() == wants.before.empty())
        throw usage_error("name either a REFERENCE, or --before and a day");
    erasable_references wanted;
    wanted.series = wants.series;
    if (wants.before.empty())
        wanted.reference = read_wanted_reference(wants.reference);
    else if (auto moment = written::read_moment(to_moment_text(wants.before)); moment.has_value())
        wanted.before = first_moment{std::move(*moment)};
    else
        throw usage_error("--before: " + moment.error().detail);
    return wanted;
}

/// Runs many short transactions, so that issuing does not wait for them.
std::int64_t erase_all(
    command_context& context,
    std::int64_t audit_id,
    erasable_references const& wanted,
    std::int64_t references
)
{
    progress bar{"references", static_cast<std::size_t>(references)};
    std::int64_t erased = 0;
    for (erasure_step step; step.more;)
    {
        context.signals().stop_if_arrived();
        step = value_of(context.seal([&](pqxx::transaction_base& transaction) {
            return erase_references(transaction, audit_id, wanted, step, step_rows_max);
        }));
        erased += step.erased;
        bar.show(static_cast<std::size_t>(erased));
    }
    return erased;
}

exit_code erase(command_context& context, erase_options const& wants)
{
    auto const wanted = read_wanted(wants);
    if (auto const reason = read_reference(wants.reason); reason.has_error() || !*reason)
        throw usage_error("--reason: it has to be 1 to 255 printable characters");
    auto const references = value_of(context.read([&](pqxx::transaction_base& transaction) {
        return count_references(transaction, wanted);
    }));
    if (references == 0 && wanted.reference)
        throw command_failed{
            exit_code::not_found,
            fmt::format("series '{}' has no row of this reference", wants.series)};
    auto const rehearsal = context.options().dry_run;
    if (references > 0)
        context.confirm(fmt::format(
            "Erase {} references of series '{}'? Nobody can bring them back.",
            references,
            wants.series
        ));

    std::int64_t erased = 0;
    if (references > 0 && !rehearsal)
        if (auto const audit_id = value_of(context.change([&](pqxx::transaction_base& transaction) {
                return begin_erasure(transaction, wanted, wants.reason, context.actor());
            })))
            erased = erase_all(context, *audit_id, wanted, references);
    context.print(
        {{"series", wants.series},
         {"references", std::to_string(references)},
         {"erased", std::to_string(erased)}},
        erased_columns
    );
    context.say(
        rehearsal
            ? fmt::format("dry run: would have erased {} references", references)
            : fmt::format("{} references erased; backups, WAL and exports still hold them", erased)
    );
    return exit_code::ok;
}

parameters erase_parameters(erase_options& into)
{
    return {
        {.name = "SERIES", .into = &into.series, .help = "Name of the series", .required = true},
        {.name = "REFERENCE",
         .into = &into.reference,
         .help = "Erase it wherever it is exactly this; -: read it from stdin"},
        {.name = "--before",
         .into = &into.before,
         .help = "Erase all of numbers issued before this day or moment",
         .value = "D"},
        {.name = "--reason",
         .into = &into.reason,
         .help = "Why; stays in the audit log: without the reference",
         .value = "TEXT",
         .required = true},
    };
}

}  // namespace

noun reference_commands()
{
    return {
        .name = "reference",
        .summary = "What numbers were issued for",
        .verbs = {verb_of<erase_options>{
            .name = "erase",
            .summary = "Forget references for ever",
            .footer = "Ledger and chain stay as they prove now. Interrupted, give the same "
                      "command again.",
            .takes = erase_parameters,
            .run = erase}}};
}

}  // namespace gapless::cli
