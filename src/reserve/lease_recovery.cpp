#include "reserve/lease_recovery.hpp"

#include "cli/argument.hpp"
#include "cli/progress.hpp"
#include "postgres/columns.hpp"
#include "postgres/epoch_record.hpp"
#include "postgres/query.hpp"
#include "reserve/lease_store.hpp"
#include "reserve/reserve_steps.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gapless::cli {

namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr std::array file_columns{
    column{.key = "file"},
    column{.key = "instance", .in_table = false},
    column{.key = "answers", .number = true},
    column{.key = "settled", .number = true},
    column{.key = "known", .number = true},
    column{.key = "twice", .number = true},
    column{.key = "forgotten", .number = true},
    column{.key = "refused", .number = true},
};

/// A journal, and what happened to its answers.
struct recovered_file
{
    fs::path file;
    lease_journal_content content;
    std::size_t settled{};
    std::size_t known{};
    std::size_t twice{};
    std::size_t forgotten{};  // numbers on record, but not their recipients
    std::size_t refused{};
    bool fenced{};  // settling has stopped
};

/// Whether this is a journal of that database, or of one that it was restored from: its oid may
/// differ. Includes files whose answers were settled, as far as the database knew then.
bool is_journal_name(std::string_view name, std::string const& database)
{
    return name.starts_with(database + '-') &&
           (name.ends_with(".lease") ||
            (name.find(".lease.") != std::string_view::npos && name.ends_with(".settled")));
}

lease_journal_content read_any_journal(fs::path const& file, lease_answers wanted)
{
    try
    {
        return lease_journal::read(file, wanted);
    }
    catch (lease_journal_failure const& failure)
    {
        throw usage_error(failure.what());
    }
}

recovered_file read_file(fs::path const& file, std::string const& database)
{
    return {.file = file, .content = read_lease_journal(file, database, lease_answers::salvaged)};
}

void count_outcomes(std::vector<settled_record> const& outcomes, recovered_file& of)
{
    for (auto const& each : outcomes)
        switch (each.outcome)
        {
        case settle_outcome::settled: ++of.settled; break;
        case settle_outcome::known: ++of.known; break;
        case settle_outcome::twice: ++of.twice; break;
        case settle_outcome::fenced: of.fenced = true; [[fallthrough]];
        case settle_outcome::conflict: ++of.refused; break;
        }
}

/// Answers from a lease that the database has forgotten.
struct forgotten_answers
{
    std::size_t on_record{};  // as `gapless epoch reconcile` records numbers: for nobody
    std::size_t again{};      // their numbers were issued to others since
};

forgotten_answers count_forgotten(
    command_context& context, lease_journal_content const& content, settling const& what
)
{
    auto const series = content.series_of.find(what.lease);
    if (series == content.series_of.end())
        return {};  // the record that says so is damaged
    return value_of(context.read([&](pqxx::transaction_base& transaction) {
        auto const marks = read_epoch(transaction).marks;
        auto const mark = std::ranges::find(marks, series->second, &series_mark::series_id);
        if (mark == marks.end())
            return forgotten_answers{};
        forgotten_answers found;
        found.on_record = static_cast<std::size_t>(query_value<std::int64_t>(
            transaction,
            "select gapless.recovered_answers($1, $2::bigint[], $3::bigint[])",
            series->second,
            to_array(what.records, &lease_left::ordinal),
            to_array(what.records, &lease_left::count)
        ));
        found.again =
            static_cast<std::size_t>(std::ranges::count_if(
                what.records, [&](auto const& answer) { return answer.ordinal <= mark->ordinal; }
            )) -
            found.on_record;
        return found;
    }));
}

/// Settles answers of one lease.
void settle(command_context& context, settling const& what, recovered_file& of)
{
    auto const& lease = what.lease;
    auto const count = what.records.size();
    auto const outcomes = context.change([&](pqxx::transaction_base& transaction) {
        return settle_lease(transaction, lease, std::nullopt, what.records);
    });
    if (outcomes.has_value())
        return count_outcomes(*outcomes, of);
    if (outcomes.error().kind != refusal_kind::not_found)
        throw to_failure(outcomes.error());
    auto const [on_record, again] = count_forgotten(context, of.content, what);
    of.forgotten += on_record;
    of.refused += count - on_record;
    if (on_record > 0)
        context.say(fmt::format(
            "the database has forgotten lease {}, of which {} answers were given: their numbers "
            "are on record as issued, their keys and references are in the journal alone; move it "
            "out of the folder of the instance, and keep it",
            to_text(lease),
            on_record
        ));
    if (again > 0)
        context.say(fmt::format(
            "the database has forgotten lease {}, of which {} answers were given whose numbers "
            "were issued to others since: they may be on two parcels. Find both, and void the "
            "number: gapless number void",
            to_text(lease),
            again
        ));
    if (on_record + again < count)
        context.say(fmt::format(
            "the database has forgotten lease {}, of which {} answers were given whose numbers it "
            "has not recorded: it will issue them again. Stop every instance, and see: gapless "
            "epoch reconcile --journal FOLDER",
            to_text(lease),
            count - on_record - again
        ));
}

json to_row(recovered_file const& of)
{
    return {
        {"file", of.file.string()},
        {"instance", to_text(of.content.instance)},
        {"answers", std::to_string(of.content.unsettled.size())},
        {"settled", std::to_string(of.settled)},
        {"known", std::to_string(of.known)},
        {"twice", std::to_string(of.twice)},
        {"forgotten", std::to_string(of.forgotten)},
        {"refused", std::to_string(of.refused)}};
}

/// Ends where settling raises the fence: everything else would be refused.
void settle_files(command_context& context, std::vector<recovered_file>& files)
{
    std::size_t total = 0;
    for (auto const& each : files)
        total += each.content.unsettled.size();
    progress bar{"answers", total};
    std::size_t done = 0;
    for (auto& each : files)
    {
        auto round = next_round(each.content.unsettled, 0, {}, 0);
        for (; !round.leases.empty(); round = next_round(each.content.unsettled, round.last, {}, 0))
            for (auto const& lease : round.leases)
            {
                settle(context, lease, each);
                if (each.fenced)
                    return;
                bar.show(done += lease.records.size());
            }
    }
}

}  // namespace

std::string read_database_id(command_context& context)
{
    return value_of(context.read([](pqxx::transaction_base& transaction) {
        return read_epoch(transaction).life.database_id;
    }));
}

lease_journal_content read_lease_journal(
    fs::path const& file, std::string const& database, lease_answers wanted
)
{
    auto content = read_any_journal(file, wanted);
    if (!content.database.empty() && content.database != database &&
        !content.database.starts_with(database + '-'))
        throw command_failed{
            exit_code::conflict,
            fmt::format("{} is of another database", to_quoted(file.string()))};
    return content;
}

std::vector<fs::path> find_lease_journals_in(fs::path const& folder, std::string const& database)
{
    std::vector<fs::path> found;
    std::error_code error;
    auto entry = fs::directory_iterator{folder, error};
    for (; !error && entry != fs::directory_iterator{}; entry.increment(error))
        if (is_journal_name(entry->path().filename().string(), database))
            found.push_back(entry->path());
    if (error)
        throw usage_error(fmt::format("{}: {}", folder.string(), error.message()));
    std::ranges::sort(found);
    return found;
}

std::vector<fs::path> find_lease_journals(
    std::vector<std::string> const& words, std::string const& database
)
{
    std::vector<fs::path> files;
    for (auto const& word : words)
    {
        std::error_code error;
        if (!fs::is_directory(word, error))
        {
            files.emplace_back(word);
            continue;
        }
        auto const found = find_lease_journals_in(word, database);
        if (found.empty())
            throw usage_error(
                fmt::format("{} holds no journal of leases of this database", to_quoted(word))
            );
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

exit_code recover_leases(command_context& context, std::vector<std::string> const& words)
{
    auto const database = read_database_id(context);
    std::vector<recovered_file> files;
    for (auto const& file : find_lease_journals(words, database))
        files.push_back(read_file(file, database));
    settle_files(context, files);

    auto rows = json::array();
    bool refused = false;
    bool fenced = false;
    for (auto const& each : files)
    {
        rows.push_back(to_row(each));
        refused = refused || each.refused > 0;
        fenced = fenced || each.fenced;
        if (!each.content.damage.empty())
            context.say(fmt::format("{} is damaged: {}", each.file.string(), each.content.damage));
    }
    context.print_list(rows, file_columns);
    context.say_dry_run();
    if (fenced)
        context.say("numbers were answered that are not the lease's: no number is issued until "
                    "that is cleared; see: gapless epoch show");
    return refused ? exit_code::findings : exit_code::ok;
}

}  // namespace gapless::cli
