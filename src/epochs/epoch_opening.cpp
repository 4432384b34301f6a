#include "epochs/epoch_opening.hpp"

#include "base/moment.hpp"
#include "cli/argument.hpp"
#include "cli/failure.hpp"
#include "epochs/epoch_store.hpp"
#include "epochs/move_proof.hpp"
#include "epochs/move_seal.hpp"
#include "issuing/journal.hpp"
#include "postgres/epoch_record.hpp"
#include "reserve/lease_recovery.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

constexpr std::int64_t skip_max = 1'000'000'000;
constexpr std::size_t reason_characters_max = 200;

/// How many numbers may have been issued unnoticed.
struct skipping
{
    std::int64_t of_each{};
    std::map<std::string, std::int64_t> of_series;  // per series, instead of the above

    bool any() const
    {
        return of_each > 0 ||
               std::ranges::any_of(of_series, [](auto const& one) { return one.second > 0; });
    }
};

/// The numbers to skip in a series.
struct skipped_series
{
    std::string series;
    series_mark up_to;
    std::int64_t asked{};
    std::int64_t left{};

    bool is_short() const noexcept { return left < asked; }
};

skipping read_skipping(std::vector<std::string> const& words)
{
    skipping read;
    for (auto const& word : words)
    {
        auto const mark = word.rfind('=');
        auto const count =
            read_integer(mark == word.npos ? word : word.substr(mark + 1), 0, skip_max);
        if (count.has_error())
            throw usage_error("--skip: " + count.error().detail);
        if (mark == word.npos)
            read.of_each = *count;
        else
            read.of_series.insert_or_assign(word.substr(0, mark), *count);
    }
    return read;
}

/// How far to skip in each series: past everything it is known to have issued, but not past the end
/// of its blocks. Throws usage_error for a series that does not exist.
std::vector<skipped_series> plan_skipping(
    pqxx::transaction_base& transaction, noted_outside const& noted, skipping const& wanted
)
{
    std::vector<skipped_series> plan;
    if (wanted.of_each == 0 && wanted.of_series.empty())
        return plan;
    auto named = wanted.of_series;
    for (auto const& one : compare(noted, [&] { return read_epoch(transaction); }))
    {
        auto const own = named.extract(one.series);
        auto const skip = own.empty() ? wanted.of_each : own.mapped();
        auto const room = read_room(transaction, one.here.series_id);
        if (skip == 0 || !room)
            continue;
        auto const from = std::max(one.here.ordinal, one.noted.ordinal);
        auto const left = std::max<std::int64_t>(one.here.ordinal + *room - from, 0);
        plan.push_back(
            {one.series, {one.here.series_id, from + std::min(skip, left), 0}, skip, left}
        );
    }
    if (!named.empty())
        throw usage_error(
            fmt::format("--skip: there is no series {}", to_quoted(named.begin()->first))
        );
    return plan;
}

constexpr std::array short_columns{
    column{.key = "series"},
    column{.key = "skip", .number = true},
    column{.key = "left", .number = true},
};

/// Shows the series with fewer numbers left than are to be skipped, which voids the rest of them,
/// and asks for confirmation. A general yes in advance does not count.
std::vector<std::string> confirm_short(
    command_context& context, std::vector<skipped_series> const& plan, bool void_rest
)
{
    std::vector<std::string> names;
    auto rows = json::array();
    for (auto const& one : plan)
        if (one.is_short())
        {
            names.push_back(one.series);
            rows.push_back(
                {{"series", one.series},
                 {"skip", std::to_string(one.asked)},
                 {"left", std::to_string(one.left)}}
            );
        }
    if (names.empty())
        return names;
    context.print_list(rows, short_columns);
    auto const told = fmt::format(
        "{} series have fewer numbers left than are to be skipped: what is left of them is voided",
        names.size()
    );
    if (context.options().dry_run || void_rest)
        context.say(told);
    else if (context.asks())
        context.confirm(told + ". Void it?");
    else
        throw command_failed{
            exit_code::conflict,
            told + "\n  to do so: --void-rest; to skip fewer: --skip SERIES=M, or load the blocks "
                   "that were loaded after the backup first"};
    return names;
}

/// The input for opening an epoch, parsed.
struct opening
{
    std::int32_t epoch{};
    skipping skip;
    std::vector<std::string> ending;  // series voided to their end, as confirmed
    std::string proof;                // JSON; the same input gives the same proof
};

epoch_opening to_opening(
    command_context const& context, epoch_options const& wants, opening const& asked
)
{
    return {
        .epoch = asked.epoch,
        .reason = wants.reason,
        .proof = asked.proof,
        .actor = context.actor()};
}

/// What is known of numbers on lease: the instances whose journals were read, those named in these
/// journals, or that this is unknown. Instances keep both kinds of journals in one folder.
json to_lease_proof(command_context& context, epoch_options const& wants)
{
    auto const database = read_database_id(context);
    auto files = find_lease_journals(wants.leases, database);
    for (auto const& folder : wants.noted.journals)
        std::ranges::copy(find_lease_journals_in(folder, database), std::back_inserter(files));
    std::set<std::string> read;
    std::map<std::string, database_time> heard;
    for (auto const& file : files)
    {
        auto const said = read_lease_journal(file, database);
        read.insert(to_text(said.instance));
        for (auto const& each : said.heard)
        {
            auto& moment = heard.try_emplace(to_text(each.instance), each.moment).first->second;
            moment = std::max(moment, each.moment);
        }
    }
    auto known = json::array();
    for (auto const& [instance, moment] : heard)
        known.push_back({{"instance", instance}, {"heard", to_rfc3339(moment)}});
    return {{"instances", read}, {"known", known}, {"skip", wants.skip_leases}};
}

opening read_opening(command_context& context, epoch_options const& wants)
{
    check_epoch_reason(wants.reason);
    auto const epoch = read_integer(wants.epoch, 1, std::numeric_limits<std::int32_t>::max());
    if (epoch.has_error())
        throw usage_error("--confirm-epoch: " + epoch.error().detail);
    auto const skip = read_skipping(wants.skip);
    if (wants.noted.journals.empty() && !skip.any() && !wants.without_proof)
        throw usage_error("name the journals that prove that nothing is missing (--journal), or "
                          "how many numbers to skip (--skip), or say --without-proof");
    auto const ending = confirm_short(
        context,
        value_of(context.read([&](pqxx::transaction_base& transaction) {
            return result<std::vector<skipped_series>>{
                plan_skipping(transaction, wants.noted, skip)};
        })),
        wants.void_rest
    );
    auto const here = value_of(context.read(read_move));
    std::set<std::string> anchors;
    for (auto const& file : wants.noted.anchors)
        anchors.insert(std::filesystem::weakly_canonical(file).string());
    auto const proof = json{
        {"journals", journal_ids(read_folders(wants.noted.journals, here))},
        {"anchors", anchors},
        {"skip", skip.of_each},
        {"skip_series", skip.of_series},
        {"void_rest", ending},
        {"without_proof", wants.without_proof},
        {"leases", to_lease_proof(context, wants)}};
    return {static_cast<std::int32_t>(*epoch), skip, ending, proof.dump()};
}

/// Why the epoch cannot be opened: a proof that proves nothing, or numbers not reconciled yet.
/// Checked before the first proposal, too, so that the second one is not called in vain.
result<void> find_obstacle(
    pqxx::transaction_base& transaction,
    epoch_options const& wants,
    std::string const& proof,
    bool skips,
    fault_teller const& tell
)
{
    if (auto const missing = find_unproven_leases(transaction, proof))
        return refusal{
            refusal_kind::state_conflict,
            fmt::format(
                "numbers may be on lease at {}\n  name the journals of leases of all instances "
                "(--leases), or say --skip-leases",
                *missing
            )};
    auto const here = read_move(transaction);
    auto const folders = read_folders(wants.noted.journals, here);
    auto const elsewhere = completed_elsewhere(here, folders);
    if (elsewhere && !skips && !wants.without_proof)
        return refusal{
            refusal_kind::state_conflict,
            fmt::format(
                "{}\n  leave this one stopped; if that server is lost for good, say that "
                "there is no proof (--without-proof)",
                *elsewhere
            )};
    if (auto const empty = folder_without_journals(wants.noted, read_epoch(transaction).life))
        return refusal{refusal_kind::state_conflict, *empty};
    if (!wants.noted.journals.empty() && !skips && !wants.without_proof)
    {
        auto const missing = missing_journals(here, folders);
        if (!missing.empty())
            return refusal{
                refusal_kind::state_conflict,
                fmt::format(
                    "{}\n  if it is lost, say how many numbers to skip (--skip), or that there is "
                    "no proof (--without-proof)",
                    fmt::join(missing, "\n  ")
                )};
    }
    auto const look = [&] { return read_epoch(transaction); };
    auto const all = compare(wants.noted, look, tell);
    if (auto const gone = find_gone(all))
        return refusal{refusal_kind::unknown_series, *gone};
    for (auto const& one : all)
        if (one.behind() > 0)
            return refusal{
                refusal_kind::state_conflict,
                fmt::format(
                    "series '{}' lacks {} issued numbers\n  first: gapless epoch reconcile",
                    one.series,
                    one.behind()
                )};
    return {};
}

/// The effect of opening an epoch on numbers.
struct opened_numbers
{
    std::int64_t skipped{};    // never issued any more
    std::int64_t returning{};  // were held or free, and are voided
    std::int64_t voided{};     // issued after the restore, but answered before it
};

result<opened_numbers> open_next(
    command_context& context,
    pqxx::transaction_base& transaction,
    epoch_options const& wants,
    opening const& asked
)
{
    opened_numbers done;
    auto const all = compare(wants.noted, [&] { return read_epoch(transaction); });
    for (auto const& one : plan_skipping(transaction, wants.noted, asked.skip))
    {
        // Blocks may have changed since the confirmation.
        if (one.is_short() && std::ranges::find(asked.ending, one.series) == asked.ending.end())
            return refusal{
                refusal_kind::state_conflict,
                fmt::format("series '{}' has {} numbers left by now", one.series, one.left)};
        done.skipped += fill_series(
            transaction, one.up_to, missing_numbers::may_be_issued, wants.reason, context.actor()
        );
    }
    done.returning = open_epoch(transaction, to_opening(context, wants, asked));
    for (auto const& one : all)
        if (one.here.series_id != 0)
            done.voided += void_issued_again(
                transaction, one.here.series_id, one.dated, wants.reason, context.actor()
            );
    return done;
}

}  // namespace

void check_epoch_reason(std::string const& reason)
{
    auto const read = read_reference(reason);
    if (read.has_error() || reason.empty() || reason.size() > reason_characters_max)
        throw usage_error(fmt::format(
            "--reason: {} has to be 1 to {} bytes of printable characters",
            to_quoted(reason),
            reason_characters_max
        ));
}

exit_code open_next_epoch(command_context& context, epoch_options const& wants)
{
    auto const asked = read_opening(context, wants);
    context.confirm(fmt::format("Open epoch {}? Issuing will go on.", asked.epoch));
    std::string first;             // the role that proposed the same before
    std::set<std::string> faults;  // of anchors
    auto const done = value_of(context.change(
        [&](pqxx::transaction_base& transaction) -> result<std::optional<opened_numbers>> {
            auto const tell = [&](std::string const& fault) { faults.insert(fault); };
            if (auto const obstacle =
                    find_obstacle(transaction, wants, asked.proof, asked.skip.any(), tell);
                obstacle.has_error())
                return obstacle.error();
            auto const other = propose_epoch(transaction, to_opening(context, wants, asked));
            if (!other)
                return std::optional<opened_numbers>{};
            first = *other;
            auto const sum = open_next(context, transaction, wants, asked);
            if (sum.has_error())
                return sum.error();
            return std::optional{*sum};
        }
    ));
    for (auto const& each : faults)
        context.say(each);
    auto const rehearsed = context.options().dry_run ? " (dry run: nothing was changed)" : "";
    if (!done)
    {
        context.say(fmt::format(
            "epoch {} is proposed, not open{}\n  it takes two: another administrator, with another "
            "database role, gives the same command within a day",
            asked.epoch,
            rehearsed
        ));
        return context.options().dry_run ? exit_code::ok : exit_code::not_allowed;
    }
    // A move prepared in the previous epoch can no longer be completed anywhere.
    if (!context.options().dry_run)
    {
        auto const here = value_of(context.read(read_move));
        complete_seals(wants.noted.journals, here.database_id, asked.epoch - 1, here.here);
    }
    context.say(fmt::format(
        "epoch {} is open, as proposed by {}; {} numbers are quarantined, they are never issued{}",
        asked.epoch,
        first,
        done->skipped,
        rehearsed
    ));
    if (done->returning > 0)
        context.say(fmt::format(
            "{} numbers are voided: they were held or free, and may have been used since the "
            "backup",
            done->returning
        ));
    if (done->voided > 0)
        context.say(fmt::format(
            "{} numbers are voided: they were issued after the restore, and had been answered "
            "before it",
            done->voided
        ));
    return exit_code::ok;
}

}  // namespace gapless::cli
