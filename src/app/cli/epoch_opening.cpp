#include "app/cli/epoch_opening.hpp"

#include "app/cli/argument.hpp"
#include "app/cli/json.hpp"
#include "app/cli/lease_recovery.hpp"
#include "app/cli/move_seal.hpp"
#include "domain/moment.hpp"
#include "store/epoch_store.hpp"
#include "store/journal.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
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

/// The numbers a series may have issued unnoticed leave here, and never again.
std::int64_t skip_ahead(
    session& session,
    pqxx::transaction_base& transaction,
    std::vector<standing> const& all,
    std::int64_t skip,
    std::string const& reason
)
{
    std::int64_t sum = 0;
    for (auto const& one : all)
        sum += fill_series(
            transaction,
            {one.here.series_id, std::max(one.here.ordinal, one.noted.ordinal) + skip, 0},
            missing_numbers::may_be_issued,
            reason,
            session.actor()
        );
    return sum;
}

/// What opening an epoch takes, once its words are read.
struct opening
{
    std::int32_t epoch{};
    std::int64_t skip{};
    std::string proof;  // JSON; the same words give the same proof
};

epoch_opening to_opening(session const& session, epoch_options const& wants, opening const& asked)
{
    return {
        .epoch = asked.epoch,
        .reason = wants.reason,
        .proof = asked.proof,
        .actor = session.actor()};
}

/// What is known of numbers on lease: the instances whose journals were read, those that these
/// journals name, or that nobody can tell. Instances keep both kinds of journals in one folder.
json to_lease_proof(session& session, epoch_options const& wants)
{
    auto const database = read_database_id(session);
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

opening read_opening(session& session, epoch_options const& wants)
{
    check_epoch_reason(wants.reason);
    auto const epoch = read_integer(wants.epoch, 1, std::numeric_limits<std::int32_t>::max());
    if (epoch.has_error())
        throw usage_error("--confirm-epoch: " + epoch.error().detail);
    auto const skip = read_integer(wants.skip, 0, skip_max);
    if (skip.has_error())
        throw usage_error("--skip: " + skip.error().detail);
    if (wants.noted.journals.empty() && *skip == 0 && !wants.without_proof)
        throw usage_error("name the journals that prove that nothing is missing (--journal), or "
                          "how many numbers to skip (--skip), or say --without-proof");
    auto const proof = json{
        {"journals", wants.noted.journals},
        {"anchors", wants.noted.anchors},
        {"skip", *skip},
        {"without_proof", wants.without_proof},
        {"leases", to_lease_proof(session, wants)}};
    return {static_cast<std::int32_t>(*epoch), *skip, proof.dump()};
}

/// What stands against opening: a proof that is none, or numbers that are not reconciled yet. Asked
/// before the first proposes as well, so that a second one is not called in vain.
result<void> find_obstacle(
    pqxx::transaction_base& transaction, epoch_options const& wants, std::string const& proof
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
    // A folder that knows nothing of this database proves nothing.
    auto const life = read_epoch(transaction).life;
    for (auto const& folder : wants.noted.journals)
        if (!journal::is_kept_in(folder, life))
            return refusal{
                refusal_kind::state_conflict,
                fmt::format("{} holds no journal of this database", to_quoted(folder))};
    auto const all = compare(wants.noted, [&] { return read_epoch(transaction); });
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

/// How many numbers were skipped.
std::int64_t open_next(
    session& session,
    pqxx::transaction_base& transaction,
    epoch_options const& wants,
    opening const& asked
)
{
    std::int64_t sum = 0;
    if (asked.skip > 0)
    {
        auto const all = compare(wants.noted, [&] { return read_epoch(transaction); });
        sum = skip_ahead(session, transaction, all, asked.skip, wants.reason);
    }
    open_epoch(transaction, to_opening(session, wants, asked));
    return sum;
}

}  // namespace

void check_epoch_reason(std::string const& reason)
{
    auto const read = read_reference(reason);
    if (read.has_error() || reason.empty() || reason.size() > reason_characters_max)
        throw usage_error(fmt::format(
            "--reason: {} has to be 1 to {} printable characters",
            to_quoted(reason),
            reason_characters_max
        ));
}

exit_code open_next_epoch(session& session, epoch_options const& wants)
{
    auto const asked = read_opening(session, wants);
    session.confirm(fmt::format("Open epoch {}? Issuing will go on.", asked.epoch));
    std::string first;  // who else wants it
    auto const skipped = value_of(session.change(
        [&](pqxx::transaction_base& transaction) -> result<std::optional<std::int64_t>> {
            if (auto const obstacle = find_obstacle(transaction, wants, asked.proof);
                obstacle.has_error())
                return obstacle.error();
            auto const other = propose_epoch(transaction, to_opening(session, wants, asked));
            if (!other)
                return std::optional<std::int64_t>{};
            first = *other;
            return std::optional{open_next(session, transaction, wants, asked)};
        }
    ));
    auto const rehearsed = session.options().dry_run ? " (dry run: nothing was changed)" : "";
    if (!skipped)
    {
        session.say(fmt::format(
            "epoch {} is proposed, not open{}\n  it takes two: another administrator, with another "
            "database role, gives the same command within a day",
            asked.epoch,
            rehearsed
        ));
        return session.options().dry_run ? exit_code::ok : exit_code::not_allowed;
    }
    // A move that was prepared in the epoch before can be completed nowhere any more.
    if (!session.options().dry_run)
    {
        auto const here = value_of(session.read(read_move));
        complete_seals(wants.noted.journals, here.database_id, asked.epoch - 1, here.here);
    }
    session.say(fmt::format(
        "epoch {} is open, as proposed by {}; {} numbers are quarantined, they are never issued{}",
        asked.epoch,
        first,
        *skipped,
        rehearsed
    ));
    return exit_code::ok;
}

}  // namespace gapless::cli
