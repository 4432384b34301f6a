#include "base/text.hpp"
#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "cli/metrics_file.hpp"
#include "cli/progress.hpp"
#include "cli/record_json.hpp"
#include "notices/notice_telling.hpp"
#include "proof/anchor_file.hpp"
#include "proof/commands.hpp"
#include "proof/seal_store.hpp"
#include "proof/verify_store.hpp"
#include "record/table.hpp"
#include "series/operations.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <unistd.h>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct verify_options
{
    std::string series;
    std::string anchors;
    std::string metrics_file;
    bool chain{};
};

constexpr std::size_t anchors_at_once = 1'000;

constexpr std::array checked_columns{
    column{.key = "series"},
    column{.key = "blocks", .number = true},
    column{.key = "ledger_rows", .number = true},
    column{.key = "numbers", .number = true},
    column{.key = "findings", .number = true},
};

std::vector<series::series_identity> series_to_verify(
    command_context& context, std::string const& name
)
{
    return value_of(context.read(
        [&](pqxx::transaction_base& transaction) -> result<std::vector<series::series_identity>> {
            if (name.empty())
                return series::read_identities(transaction);
            auto series = series::find(transaction, name);
            if (series.has_error())
                return series.error();
            return std::vector{series::series_identity{series->series_id, series->name}};
        }
    ));
}

/// Verifies one series, or all in one pass over the ledger.
std::vector<verification> verify_numbers(
    command_context& context,
    std::string const& name,
    std::vector<series::series_identity> const& series
)
{
    return value_of(context.read([&](pqxx::transaction_base& transaction) {
        return name.empty()
                   ? verify_all(transaction)
                   : std::vector{
                         verify_series(transaction, series.front().series_id, series.front().name)};
    }));
}

json to_checked(verification const& seen)
{
    return {
        {"series", seen.series},
        {"blocks", std::to_string(seen.blocks)},
        {"ledger_rows", std::to_string(seen.ledger_rows)},
        {"numbers", seen.numbers},
        {"findings", std::to_string(seen.findings.size())},
    };
}

std::uint64_t read_sum(json const& rows, char const* key)
{
    std::uint64_t sum = 0;
    for (auto const& row : rows)
        sum += read_decimal<std::uint64_t>(row[key].get_ref<std::string const&>()).value_or(0);
    return sum;
}

/// What was checked, summed over all series.
json to_sum(json const& checked)
{
    auto names = json::array();
    for (auto const& row : checked)
        names.push_back(row["series"]);
    json sum;
    sum["series"] = std::move(names);
    for (auto const* key : {"ledger_rows", "numbers", "blocks"})
        sum[key] = std::to_string(read_sum(checked, key));
    return sum;
}

void print(command_context const& context, json const& findings, json const& checked)
{
    switch (context.options().output)
    {
    case output_format::json:
        return context.print({{"findings", findings}, {"checked", to_sum(checked)}}, {});
    case output_format::csv: return context.print_list(findings, columns_of<finding>);
    case output_format::table: break;
    }
    context.print_list(checked, checked_columns);
    if (findings.empty())
        return;
    context.print_part("\n");
    context.print_list(findings, columns_of<finding>);
}

void verify_chain(
    command_context& context, std::int32_t series_id, std::string const& series, json& findings
)
{
    auto const found = value_of(context.read([&](pqxx::transaction_base& transaction) {
        return gapless::verify_chain(transaction, series_id, series);
    }));
    for (auto const& one : found)
        findings.push_back(to_json(one));
}

/// Verifies the chains of these series, each on its own snapshot: hashing takes long.
void verify_chains(
    command_context& context, std::vector<series::series_identity> const& all, json& findings
)
{
    progress bar{"chains", all.size()};
    for (std::size_t n = 0; n < all.size(); ++n)
    {
        context.signals().stop_if_arrived();
        bar.show(n);
        verify_chain(context, all[n].series_id, all[n].name, findings);
    }
}

/// Reads the anchors of the file that concern what is verified. Before the chains are hashed: a
/// link published meanwhile must not look like a missing one.
std::vector<anchor> read_wanted_anchors(verify_options const& wants, json& findings)
{
    if (wants.anchors.empty())
        return {};
    auto anchors = read_anchors(wants.anchors, [&](finding const& found) {
        findings.push_back(to_json(found));
    });
    if (!wants.series.empty())
        std::erase_if(anchors, [&](anchor const& one) { return one.head.series != wants.series; });
    if (anchors.empty() && findings.empty())
        throw usage_error(fmt::format(
            "{}: there is no anchor of series {}", wants.anchors, to_quoted(wants.series)
        ));
    return anchors;
}

void verify_anchors(command_context& context, std::vector<anchor> const& anchors, json& findings)
{
    progress bar{"anchors", anchors.size()};
    for (std::size_t from = 0; from < anchors.size(); from += anchors_at_once)
    {
        bar.show(from);
        auto const size = std::min(anchors.size() - from, anchors_at_once);
        auto const some = to_json_text(std::span{anchors}.subspan(from, size));
        auto const found = value_of(context.read([&](pqxx::transaction_base& transaction) {
            return gapless::verify_anchors(transaction, some);
        }));
        for (auto const& one : found)
            findings.push_back(to_json(one));
    }
}

/// Publishes a notice of findings through the database, until all series have none.
void note_verified(command_context& context, std::size_t findings, bool chain)
{
    auto const note = [=](pqxx::transaction_base& transaction) {
        gapless::note_verified(transaction, static_cast<std::int64_t>(findings), chain);
    };
    try
    {
        if (!run_if_allowed(context, note) && findings > 0)
            context.say("nobody is told: this database role may not write notices");
    }
    catch (command_failed const& failure)
    {
        if (findings == 0)
            throw;
        context.say(failure.what());  // the findings are the answer
    }
}

measured_run verify(command_context& context, verify_options const& wants)
{
    auto findings = json::array();
    auto checked = json::array();
    auto const anchors = read_wanted_anchors(wants, findings);
    bool const chain = wants.chain || !wants.anchors.empty();
    auto const all = series_to_verify(context, wants.series);
    if (::isatty(STDERR_FILENO) == 1)
        context.say(fmt::format(
            "reading the ledger of {} series; a million rows take up to a second", all.size()
        ));
    for (auto const& seen : verify_numbers(context, wants.series, all))
    {
        checked.push_back(to_checked(seen));
        for (auto const& found : seen.findings)
            findings.push_back(to_json(found));
    }
    if (chain)
        verify_chains(context, all, findings);
    if (chain && wants.series.empty())
        verify_chain(context, 0, all_series, findings);
    verify_anchors(context, anchors, findings);
    print(context, findings, checked);
    if ((wants.series.empty() || !findings.empty()) && !context.options().dry_run)
        note_verified(context, findings.size(), chain);
    context.say(
        findings.empty() ? "gapless" : fmt::format("not gapless: {} findings", findings.size())
    );
    return {findings.empty() ? exit_code::ok : exit_code::findings, findings.size()};
}

exit_code run(command_context& context, verify_options const& wants)
{
    if (!wants.metrics_file.empty() && !wants.series.empty())
        throw usage_error("--metrics-file tells of all series; leave the series out");
    return run_measured(context, "verify", wants.metrics_file, [&] {
        return verify(context, wants);
    });
}

parameters verify_parameters(verify_options& into)
{
    return {
        {.name = "SERIES", .into = &into.series, .help = "Name of the series; default: all"},
        {.name = "--chain", .into = &into.chain, .help = "Also hash every sealed record again"},
        {.name = "--anchors",
         .into = &into.anchors,
         .help = "Also compare with what 'gapless anchor' wrote; -: stdin",
         .value = "FILE"},
        metrics_file_parameter(into.metrics_file),
    };
}

}  // namespace

noun verify_command()
{
    return {
        .name = "verify",
        .summary = "Recompute from the ledger that no number is missing or issued twice",
        .verbs = {verb_of<verify_options>{
            .footer = "Ends with exit code 6 when there is a finding. Issuing goes on meanwhile. "
                      "--anchors includes\n--chain, which takes about a second for a million "
                      "ledger rows.",
            .takes = verify_parameters,
            .run = run}}};
}

}  // namespace gapless::cli
